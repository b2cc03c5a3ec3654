import Glibc

/// Thousands of clients in one thread, for tests of a server under many of them: each sends what it has and keeps what
/// comes. Used by one thread; it blocks.
package final class Swarm {
    /// How a connection has ended.
    package enum End: Sendable {
        /// The peer has finished.
        case closed
        case reset
        /// Nobody listened.
        case refused
    }

    /// One client.
    package struct Client: Sendable {
        fileprivate var descriptor: Int32
        fileprivate var unsent: ArraySlice<UInt8>
        /// What has come.
        package fileprivate(set) var received: [UInt8] = []
        package fileprivate(set) var end: End?
        /// How many whole answers have come.
        package fileprivate(set) var answers = 0
        /// Whether something was sent that no whole answer has come to.
        package fileprivate(set) var isWaiting = false

        /// The status of the first answer; 0 before it.
        package var status: Int {
            Int(String(decoding: received.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
        }

        package var hasEnded: Bool { end != nil }
    }

    private let port: UInt16
    package private(set) var clients: [Client] = []
    /// What a client sends after each whole answer; nil lets it be.
    package var next: ((Int) -> [UInt8]?)?
    /// Whether clients end their side when all is sent.
    package var halfCloses = false

    /// Clients of the server on a port of this machine.
    package init(port: Int) { self.port = UInt16(port) }

    deinit { closeAll() }

    /// Begins to connect one more client, which will send these bytes.
    package func add(_ bytes: [UInt8]) {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var client = Client(descriptor: descriptor, unsent: bytes[...])
        client.isWaiting = !bytes.isEmpty
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0, errno != EINPROGRESS { client.end = .refused }
        clients.append(client)
    }

    /// Sends more bytes to one client.
    package func send(_ bytes: [UInt8], to index: Int) {
        clients[index].unsent += bytes
        clients[index].isWaiting = true
    }

    /// Goes on until a condition holds or the time, in milliseconds, is over; returns whether it holds.
    @discardableResult
    package func run(atMost milliseconds: Int, until isDone: (Swarm) -> Bool) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while !isDone(self) {
            guard ContinuousClock.now < end else { return false }
            step()
        }
        return true
    }

    /// Closes every client; with RST if asked.
    package func closeAll() {
        for index in clients.indices where clients[index].descriptor >= 0 {
            close(clients[index].descriptor)
            clients[index].descriptor = -1
        }
    }

    private func step() {
        var entries: [pollfd] = []
        var indices: [Int] = []
        for (index, client) in clients.enumerated() where client.end == nil && client.descriptor >= 0 {
            let events = client.unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
            entries.append(pollfd(fd: client.descriptor, events: Int16(events), revents: 0))
            indices.append(index)
        }
        guard poll(&entries, nfds_t(entries.count), 20) > 0 else { return }
        for (entry, index) in zip(entries, indices) where entry.revents != 0 {
            if entry.revents & Int16(POLLOUT) != 0 { write(index) }
            if clients[index].end == nil, entry.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 { read(index) }
        }
    }

    private func write(_ index: Int) {
        let count = clients[index].unsent.withUnsafeBytes {
            Glibc.send(clients[index].descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count >= 0 else {
            if errno == ECONNREFUSED { finish(index, .refused) }
            return
        }
        clients[index].unsent.removeFirst(count)
        if halfCloses, clients[index].unsent.isEmpty { shutdown(clients[index].descriptor, Int32(SHUT_WR)) }
    }

    private func read(_ index: Int) {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(clients[index].descriptor, &bytes, bytes.count, 0)
        if count > 0 {
            clients[index].received += bytes[..<count]
            takeAnswers(index)
        } else if count == 0 {
            finish(index, .closed)
        } else if errno == ECONNREFUSED {
            finish(index, .refused)
        } else if errno != EAGAIN {
            finish(index, .reset)
        }
    }

    private func finish(_ index: Int, _ end: End) {
        clients[index].end = end
        close(clients[index].descriptor)
        clients[index].descriptor = -1
    }

    /// Counts answers with a `Content-Length`; only the last one's bytes are kept when more are asked for.
    private func takeAnswers(_ index: Int) {
        guard let length = Self.answerLength(clients[index].received) else { return }
        clients[index].answers += 1
        clients[index].isWaiting = false
        let isLast = Self.contains("connection: close", clients[index].received)
        if !isLast, let more = next?(index) {
            clients[index].received.removeFirst(length)
            send(more, to: index)
        }
    }

    /// How long the first answer is; nil while it is not whole.
    private static func answerLength(_ bytes: [UInt8]) -> Int? {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        guard let head = text.utf8.firstRange(of: Array("\r\n\r\n".utf8)),
            let field = text.utf8.firstRange(of: Array("content-length: ".utf8))
        else { return nil }
        let digits = text.utf8[field.upperBound...].prefix { (0x30...0x39).contains($0) }
        let body = Int(String(decoding: digits, as: UTF8.self)) ?? 0
        let length = text.utf8.distance(from: text.utf8.startIndex, to: head.upperBound) + body
        return bytes.count >= length ? length : nil
    }

    private static func contains(_ text: String, _ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).lowercased().utf8.firstRange(of: Array(text.utf8)) != nil
    }
}
