import Glibc

/// The server's end of a connection in a test: blocking calls, and only what tests need.
package struct CannedConnection: Sendable {
    let number: Int32

    /// The bytes up to the next empty line, as text; empty once the client has finished.
    ///
    /// It reads byte by byte, so that pipelined requests stay in the socket.
    package func readHead() -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let next = read(1).first else { return "" }
            head.append(next)
        }
        return String(decoding: head, as: UTF8.self)
    }

    /// The next `count` bytes; fewer when the client has finished.
    package func readBody(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let part = read(count - bytes.count)
            if part.isEmpty { break }
            bytes += part
        }
        return bytes
    }

    /// All bytes until the client closes its side, or `nil` when it sends RST.
    package func readToEnd() -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            switch receive(65_536) {
            case .bytes(let part): bytes += part
            case .end: return bytes
            case .failed: return nil
            }
        }
    }

    /// Returns when the client has sent RST, without reading anything.
    package func waitForReset() {
        var entry = pollfd(fd: number, events: 0, revents: 0)
        while poll(&entry, 1, -1) < 0 && errno == EINTR {}
    }

    package func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Makes the next close send RST.
    package func resetOnClose() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(number, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
    }

    /// The next line without its CRLF; nil when the client has finished.
    package func readLine() -> String? {
        var line: [UInt8] = []
        while !line.suffix(2).elementsEqual("\r\n".utf8) {
            guard let next = read(1).first else { return nil }
            line.append(next)
        }
        return String(decoding: line.dropLast(2), as: UTF8.self)
    }

    /// Some bytes; empty when the client has finished or is gone.
    private func read(_ limit: Int) -> [UInt8] {
        if case .bytes(let bytes) = receive(limit) { bytes } else { [] }
    }

    private enum Received {
        case bytes([UInt8])
        case end
        case failed
    }

    private func receive(_ limit: Int) -> Received {
        var space = [UInt8](repeating: 0, count: limit)
        while true {
            let count = recv(number, &space, limit, 0)
            if count > 0 { return .bytes(Array(space.prefix(count))) }
            if count == 0 { return .end }
            // A signal of another test may be delivered to this thread.
            guard errno == EINTR else { return .failed }
        }
    }
}
