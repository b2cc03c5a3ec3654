import Glibc

/// Thousands of clients on one thread, to test a server that has many. Each sends its bytes and keeps what arrives. It
/// blocks, so use it on a single ``BlockingThread``.
package final class Swarm {
    /// The way in which a connection ended.
    package enum End: Sendable {
        /// The peer has finished.
        case closed
        case reset
        /// No program listened.
        case refused
    }

    /// One client.
    package struct Client: Sendable {
        fileprivate var unsent: ArraySlice<UInt8>
        /// The earliest time at which the server could begin to wait for the request that is being sent.
        fileprivate var waitBegan: ContinuousClock.Instant
        /// The bytes that have arrived; emptied when the next request is sent.
        package fileprivate(set) var received: [UInt8] = []
        package fileprivate(set) var end: End?
        /// The number of complete responses that have arrived.
        package fileprivate(set) var answers = 0
        /// Whether something was sent that has not got a complete response yet.
        package fileprivate(set) var isWaiting = false
        /// Whether it let half a second pass before sending its request: a server that is ending need not have waited
        /// for it.
        package fileprivate(set) var hasDallied = false

        /// The status of the first response; 0 before it.
        package var status: Int {
            Int(String(decoding: received.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
        }

        package var hasEnded: Bool { end != nil }
    }

    private let port: UInt16
    package private(set) var clients: [Client] = []
    /// The events that each client's socket waits for, in the same order; the descriptor is -1 once it is closed.
    private var entries: [pollfd] = []
    private var space = [UInt8](repeating: 0, count: 16_384)
    /// The time of the last check that everything that arrived was read.
    private var lastLook = ContinuousClock.now

    // Counted as it happens, because a condition on thousands of clients is evaluated at each step:

    /// The number of complete responses that have arrived.
    package private(set) var answers = 0
    /// The number of clients that wait for a response that can still come.
    package private(set) var waiting = 0
    /// The number of connections that have ended in each way.
    package private(set) var ends: [End: Int] = [:]

    package var haveAllEnded: Bool { ends.values.reduce(0, +) == clients.count }

    /// The bytes that a client sends after each complete response, by the client's index; nil for nothing.
    package var next: ((Int) -> [UInt8]?)?
    /// Whether clients close their side once everything is sent.
    package var halfCloses = false

    /// Creates clients for the server on a port of this machine.
    package init(port: Int) { self.port = UInt16(port) }

    deinit { closeAll() }

    /// Adds a client, which connects and sends these bytes.
    package func add(_ bytes: [UInt8]) {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        clients.append(Client(unsent: bytes[...], waitBegan: .now))
        entries.append(pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0))
        let index = clients.count - 1
        setWaiting(!bytes.isEmpty, index)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0, errno != EINPROGRESS { finish(index, .refused) }
    }

    /// Sends more bytes to one client.
    package func send(_ bytes: [UInt8], to index: Int) {
        guard !clients[index].hasEnded else { return }
        if !clients[index].isWaiting {
            clients[index].received = []
            clients[index].waitBegan = lastLook
        }
        clients[index].unsent += bytes
        entries[index].events = Int16(POLLIN | POLLOUT)
        setWaiting(true, index)
        write(index)
    }

    /// Runs until a condition holds.
    /// - Throws: `CancellationError` when the test's time limit passes.
    package func run(until isDone: (Swarm) -> Bool) throws {
        while !isDone(self) {
            try BlockingThread.checkCancellation()
            step()
        }
    }

    /// Runs until a condition holds or the time, in milliseconds, is over; returns whether it holds.
    @discardableResult
    package func run(atMost milliseconds: Int, until isDone: (Swarm) -> Bool) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while !isDone(self) {
            guard ContinuousClock.now < end else { return false }
            step()
        }
        return true
    }

    /// Closes every client.
    package func closeAll() {
        for index in entries.indices { close(index) }
    }

    /// Handles everything that has arrived, waiting a moment if nothing has.
    package func step() {
        let look = ContinuousClock.now
        defer { lastLook = look }
        guard poll(&entries, nfds_t(entries.count), 20) > 0 else { return }
        for (index, entry) in entries.enumerated() where entry.revents != 0 {
            if entry.revents & Int16(POLLOUT) != 0 { write(index) }
            if !clients[index].hasEnded, entry.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 { read(index) }
        }
    }

    private func setWaiting(_ isWaiting: Bool, _ index: Int) {
        guard clients[index].isWaiting != isWaiting else { return }
        clients[index].isWaiting = isWaiting
        waiting += isWaiting ? 1 : -1
    }

    private func write(_ index: Int) {
        let count = clients[index].unsent.withUnsafeBytes {
            Glibc.send(entries[index].fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count >= 0 else {
            if errno == ECONNREFUSED { finish(index, .refused) } else if errno != EAGAIN { finish(index, .reset) }
            return
        }
        clients[index].unsent.removeFirst(count)
        guard clients[index].unsent.isEmpty else { return }
        entries[index].events = Int16(POLLIN)
        noteDallying(index)
        if halfCloses { shutdown(entries[index].fd, Int32(SHUT_WR)) }
    }

    private func read(_ index: Int) {
        let count = recv(entries[index].fd, &space, space.count, 0)
        if count > 0 {
            clients[index].received += space[..<count]
            takeAnswer(index)
        } else if count == 0 {
            finish(index, .closed)
        } else if errno == ECONNREFUSED {
            finish(index, .refused)
        } else if errno != EAGAIN {
            finish(index, .reset)
        }
    }

    private func noteDallying(_ index: Int) {
        if ContinuousClock.now - clients[index].waitBegan > .milliseconds(500) { clients[index].hasDallied = true }
    }

    private func finish(_ index: Int, _ end: End) {
        if !clients[index].unsent.isEmpty { noteDallying(index) }
        clients[index].end = end
        ends[end, default: 0] += 1
        if clients[index].isWaiting { waiting -= 1 }
        close(index)
    }

    private func close(_ index: Int) {
        guard entries[index].fd >= 0 else { return }
        Glibc.close(entries[index].fd)
        entries[index].fd = -1
    }

    /// Counts complete responses that have a `Content-Length`, one for each thing that was sent.
    private func takeAnswer(_ index: Int) {
        guard clients[index].isWaiting, let isLast = Self.isLast(clients[index].received) else { return }
        answers += 1
        clients[index].answers += 1
        setWaiting(false, index)
        if !isLast, let more = next?(index) { send(more, to: index) }
    }

    /// Whether the response says that it is the connection's last; nil while it is incomplete.
    private static func isLast(_ bytes: [UInt8]) -> Bool? {
        String(decoding: bytes, as: UTF8.self).lowercased().withCString { text in
            guard let end = strstr(text, "\r\n\r\n"), let field = strstr(text, "content-length: "), field < end
            else { return nil }
            let length = UnsafePointer(end) - text + 4 + strtol(field + "content-length: ".utf8.count, nil, 10)
            guard bytes.count >= length else { return nil }
            return strstr(text, "connection: close").map { $0 < end } ?? false
        }
    }
}
