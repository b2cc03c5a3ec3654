import FoundationEssentials
import HTTPTypes

enum JSONBytes {
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeBufferPointer<UInt8>) throws -> Value {
        do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch DecodingError.dataCorrupted(let c) {
            throw HTTPError(.badRequest, c.debugDescription)
        } catch { throw HTTPError(.unprocessableContent, "\(error)") }
    }
}
