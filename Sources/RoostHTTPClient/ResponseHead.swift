import Glibc
import HTTPTypes
import Roost

/// The head of a response, read line by line as libcurl hands it over.
struct ResponseHead {
    private(set) var status: HTTPResponse.Status?
    /// Whether the final response's head has ended; lines that follow are trailers.
    private(set) var isComplete = false
    /// Whether libcurl undoes what `Content-Encoding` names.
    var isDecoded = true
    private var lines: [UInt8] = []
    private var size = 0
    /// The number of codings that libcurl undoes, one after the other. It keeps those of heads before the final one.
    private var codings = 0

    var headers: Headers { Headers(lines: lines) }

    /// Takes a line with its end; false when the head is too large, or the body is compressed more than once: then a
    /// few bytes could become so many on the way that the loop is held up, and no limit sees them.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        guard count(line) else { return false }
        let end = min(Self.place(of: 0x0D, in: line), Self.place(of: 0x0A, in: line))
        let content = UnsafeRawBufferPointer(rebasing: line[..<end])
        let colon = Self.place(of: UInt8(ascii: ":"), in: content)
        if content.isEmpty {
            // 1xx comes before the response itself.
            isComplete = status.map { $0.code >= 200 } ?? false
        } else if let start = content.baseAddress, content.count >= 5, memcmp(start, "HTTP/", 5) == 0 {
            status = Self.status(content)
            lines = []
            lines.reserveCapacity(512)
        } else if colon > 0, colon < end, content[colon - 1] > 0x20 {
            lines.append(contentsOf: content)
            lines.append(0x0D)
            lines.append(0x0A)
            codings += undone(in: line, colon)
        }
        return codings <= 1
    }

    /// Counts a line of a head or of the trailers, all of which libcurl keeps; false when there are too many.
    mutating func count(_ line: UnsafeRawBufferPointer) -> Bool {
        size += line.count
        return size <= TransferSettings.maximumHead
    }

    /// The values that name no coding, or one that adds nothing.
    private static let plain: [[UInt8]] = [[], Array("identity".utf8), Array("chunked".utf8)]

    /// The number of codings in a field that libcurl undoes. It reads on behind a CR that is not at the end.
    private func undone(in line: UnsafeRawBufferPointer, _ colon: Int) -> Int {
        let name = line[..<colon].lazy.map(\.lowercased)
        guard isDecoded && name.elementsEqual("content-encoding".utf8) || name.elementsEqual("transfer-encoding".utf8)
        else { return 0 }
        return line[(colon + 1)...].split(separator: UInt8(ascii: ",")).count { coding in
            !Self.plain.contains(coding.filter { $0 > 0x20 }.map(\.lowercased))
        }
    }

    /// The index of the first such byte, or the end.
    private static func place(of byte: UInt8, in line: UnsafeRawBufferPointer) -> Int {
        guard let start = line.baseAddress, let place = memchr(start, Int32(byte), line.count) else {
            return line.count
        }
        return UnsafeRawPointer(place) - start
    }

    private static func status(_ line: UnsafeRawBufferPointer) -> HTTPResponse.Status? {
        let parts = line.split(separator: 0x20, maxSplits: 2)
        guard parts.count > 1, let code = Int(String(decoding: parts[1], as: UTF8.self)), (100...999).contains(code)
        else { return nil }
        let phrase = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
        return HTTPResponse.Status(code: code, reasonPhrase: phrase)
    }
}
