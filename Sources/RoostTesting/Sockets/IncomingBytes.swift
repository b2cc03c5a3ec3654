/// Bytes that have arrived, a cursor in them, and a way to wait for more.
struct IncomingBytes {
    /// All bytes since the start of the message, including those that the cursor has passed, for errors to show.
    private(set) var bytes: [UInt8]
    private var cursor = 0
    private let more: (inout [UInt8]) throws -> Void

    /// - Parameters:
    ///   - bytes: The bytes that have arrived already.
    ///   - more: Waits for bytes and adds them; adds none at the end of the stream.
    init(_ bytes: [UInt8] = [], more: @escaping (inout [UInt8]) throws -> Void) {
        self.bytes = bytes
        self.more = more
    }

    /// The bytes after the cursor: the start of the next message.
    var rest: [UInt8] {
        Array(bytes[cursor...])
    }

    /// The line up to the next CRLF, without it.
    mutating func line(of purpose: String) throws -> ArraySlice<UInt8> {
        var searched = cursor
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = bytes[cursor..<end]
                guard line.last == UInt8(ascii: "\r") else { throw malformed("a line ends with LF alone") }
                cursor = end + 1
                return line.dropLast()
            }
            searched = bytes.count
            try fill(for: purpose)
        }
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int, of purpose: String) throws -> ArraySlice<UInt8> {
        while bytes.count - cursor < count {
            try fill(for: "\(purpose) (\(bytes.count - cursor) of \(count) bytes)")
        }
        defer { cursor += count }
        return bytes[cursor..<cursor + count]
    }

    /// The bytes that have arrived, waiting for some if there are none; empty at the end of the stream.
    mutating func takeAvailable(of purpose: String) throws -> ArraySlice<UInt8> {
        if cursor == bytes.count { _ = try grow(for: purpose) }
        defer { cursor = bytes.count }
        return bytes[cursor...]
    }

    /// Takes all bytes until the end of the stream.
    mutating func takeToEnd(of purpose: String) throws -> ArraySlice<UInt8> {
        while try grow(for: purpose) {}
        defer { cursor = bytes.count }
        return bytes[cursor...]
    }

    /// Goes back to the start of the message.
    mutating func rewind() {
        cursor = 0
    }

    func malformed(_ problem: String) -> WireClientError {
        .malformed(problem, received: bytes)
    }

    private mutating func fill(for purpose: String) throws {
        guard try grow(for: purpose) else { throw WireClientError.closed(waitingFor: purpose, received: bytes) }
    }

    /// Waits for more bytes; false at the end of the stream.
    private mutating func grow(for purpose: String) throws -> Bool {
        let before = bytes.count
        do {
            try more(&bytes)
        } catch {
            throw WireClientError(error, waitingFor: purpose, received: bytes)
        }
        return bytes.count > before
    }
}
