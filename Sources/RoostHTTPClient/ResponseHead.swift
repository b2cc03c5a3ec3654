import HTTPTypes
import Roost

/// The head of a response, read line by line as libcurl hands it over.
struct ResponseHead {
    private(set) var status: HTTPResponse.Status?
    private(set) var headers: Headers = [:]
    /// Whether the final response's head has ended; what follows are trailers, which are dropped.
    private(set) var isComplete = false
    private var size = 0

    /// Takes a line with its end; false when the head is too large.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !isComplete else { return true }
        size += line.count
        guard size <= TransferSettings.maximumHead else { return false }
        let content = line.prefix { $0 != 0x0D && $0 != 0x0A }
        if content.starts(with: "HTTP/".utf8) {
            status = Self.status(content)
            headers = [:]
        } else if content.isEmpty {
            // 1xx comes before the response itself.
            isComplete = status.map { $0.code >= 200 } ?? false
        } else if let colon = content.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: content[..<colon], as: UTF8.self))
        {
            headers.append(name, Self.text(content[(colon + 1)...]))
        }
        return true
    }

    private static func status(_ line: Slice<UnsafeRawBufferPointer>) -> HTTPResponse.Status? {
        let parts = line.split(separator: 0x20, maxSplits: 2)
        guard parts.count > 1, let code = Int(String(decoding: parts[1], as: UTF8.self)), (100...999).contains(code)
        else { return nil }
        let phrase = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
        return HTTPResponse.Status(code: code, reasonPhrase: phrase)
    }

    /// The value without the spaces around it.
    private static func text(_ value: Slice<UnsafeRawBufferPointer>) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = value.drop(while: isBlank)
        let end = start.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }
}
