import HTTPTypes
import Roost

/// The head of a response, read line by line as libcurl hands it over.
struct ResponseHead {
    private(set) var status: HTTPResponse.Status?
    /// Whether the final response's head has ended; lines that follow are trailers.
    private(set) var isComplete = false
    private var lines: [UInt8] = []
    private var size = 0

    var headers: Headers { Headers(lines: lines) }

    /// Takes a line with its end; false when the head is too large.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        size += line.count
        guard size <= TransferSettings.maximumHead else { return false }
        let content = line.prefix { $0 != 0x0D && $0 != 0x0A }
        if content.isEmpty {
            // 1xx comes before the response itself.
            isComplete = status.map { $0.code >= 200 } ?? false
        } else if content.starts(with: "HTTP/".utf8) {
            status = Self.status(content)
            lines = []
        } else if let colon = content.firstIndex(of: UInt8(ascii: ":")), colon > 0, content[colon - 1] > 0x20 {
            lines += content
            lines += [0x0D, 0x0A]
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
}
