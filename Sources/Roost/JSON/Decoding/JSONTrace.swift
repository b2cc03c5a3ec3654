import FoundationEssentials
import Synchronization

/// Finds the number that does not fit its type.
///
/// For such a number, FoundationEssentials' decoder throws an error without a coding path. So the value is decoded once
/// more, through containers that note where a failure happens (``JSONTracingDecoder``).
final class JSONTrace: Sendable {
    /// The path to the innermost value that failed, and its type.
    private let failed = Mutex<(path: [any CodingKey], type: any Any.Type)?>(nil)

    /// Decodes a value again, only to see where it fails.
    static func failure<Value: Decodable>(
        of type: Value.Type, in text: UnsafeBufferPointer<UInt8>, by decoder: JSONDecoder
    ) -> (path: [any CodingKey], type: any Any.Type)? {
        guard let key = JSONTracedValue<Value>.key else { return nil }
        let trace = JSONTrace()
        decoder.userInfo[key] = trace
        _ = try? decoder.decode(JSONTracedValue<Value>.self, from: Data(text))
        return trace.failed.withLock { $0 }
    }

    /// Notes a failure, unless one inside it was noted.
    func note<Value>(_ type: Value.Type, at path: [any CodingKey], _ make: () throws -> Value) throws -> Value {
        do { return try make() } catch {
            failed.withLock { $0 = $0 ?? (path, type) }
            throw error
        }
    }

    /// Whether the decoder makes values of a type itself, without its `init(from:)`.
    static func isLeaf<Value>(_ type: Value.Type) -> Bool { leaves.contains(ObjectIdentifier(type)) }

    private static let leaves: Set<ObjectIdentifier> = [
        ObjectIdentifier(Bool.self), ObjectIdentifier(String.self), ObjectIdentifier(Double.self),
        ObjectIdentifier(Float.self), ObjectIdentifier(Int.self), ObjectIdentifier(Int8.self),
        ObjectIdentifier(Int16.self), ObjectIdentifier(Int32.self), ObjectIdentifier(Int64.self),
        ObjectIdentifier(Int128.self), ObjectIdentifier(UInt.self), ObjectIdentifier(UInt8.self),
        ObjectIdentifier(UInt16.self), ObjectIdentifier(UInt32.self), ObjectIdentifier(UInt64.self),
        ObjectIdentifier(UInt128.self), ObjectIdentifier(Date.self), ObjectIdentifier(Data.self),
        ObjectIdentifier(URL.self), ObjectIdentifier(Decimal.self),
    ]
}

/// A value that is decoded through containers that note failures.
struct JSONTracedValue<Value: Decodable>: Decodable {
    static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "Roost.JSONTrace") }

    let value: Value

    init(from decoder: any Decoder) throws {
        guard let key = Self.key, let trace = decoder.userInfo[key] as? JSONTrace else {
            value = try Value(from: decoder)
            return
        }
        value = try trace.note(Value.self, at: decoder.codingPath) {
            try Value(from: JSONTracingDecoder(decoder: decoder, trace: trace))
        }
    }
}
