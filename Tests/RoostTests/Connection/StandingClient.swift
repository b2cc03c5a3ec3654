import Glibc
import Testing

@testable import Roost

/// A client, and the server's end of its connection, whose loop does not run by itself.
///
/// `@unchecked Sendable`: the loop, if it runs at all, runs on the thread of the test.
final class StandingClient: @unchecked Sendable {
    let descriptor: Int32
    let connection: Connection
    private let serverEnd: Int32
    private var isOpen = true

    init(in group: ConnectionGroup, socketTakes size: Int32? = nil) throws {
        // A server does so, too.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        (descriptor, serverEnd) = (ends[0], ends[1])
        if var size { setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, 4) }
        connection = Connection(ends[1], from: .local, in: group)
    }

    deinit {
        connection.close()
        leave()
    }

    /// Closes the connection. That resets it if there is a response that was not read.
    func leave() {
        guard isOpen else { return }
        isOpen = false
        close(descriptor)
        guard connection.state.phase != .closed else { return }
        #expect(hangsUp(serverEnd))
    }

    /// Waits until one end of the connection learns that the other has been closed. A process that another test starts
    /// at this moment has copies of all descriptors until its program begins, and a socket ends with its last copy.
    private func hangsUp(_ end: Int32) -> Bool {
        var end = pollfd(fd: end, events: 0, revents: 0)
        return poll(&end, 1, 60_000) == 1
    }

    /// Sends nothing more.
    func shutDown() { shutdown(descriptor, Int32(SHUT_WR)) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) { #expect(write(descriptor, bytes, bytes.count) == bytes.count) }

    /// Sends a request, and lets the server read it.
    func ask(_ request: String = get("/")) {
        send(request)
        connection.ready(.readable)
    }

    /// The number of bytes that have come; nil when the server has ended the connection.
    var received: Int? {
        var count = 0
        var bytes = [UInt8](repeating: 0, count: 100_000)
        while true {
            let more = read(descriptor, &bytes, bytes.count)
            if more < 0, connection.state.phase == .closed, hangsUp(descriptor) { continue }
            guard more > 0 else { return more == 0 && count == 0 ? nil : count }
            count += more
        }
    }
}

extension ConnectionGroup {
    /// The connections of an application with the defaults.
    convenience init(
        of application: Application, on loop: EventLoop, memory: MemoryBudget = MemoryBudget(.max),
        metrics: LoopMetrics? = nil
    ) {
        self.init(
            loop: loop,
            responder: application,
            limits: ServerConfiguration().connectionLimits,
            memory: memory,
            logger: application.logger,
            metrics: metrics
        )
    }
}

extension EventLoop {
    /// Runs the steps one after the other, each followed by more turns than its effects need, and stops for good.
    func run(_ steps: @Sendable () -> Void...) {
        goOn(steps[...], after: 0)
        run()
    }

    private func goOn(_ steps: ArraySlice<@Sendable () -> Void>, after turns: Int) {
        guard turns == 0 else { return execute { self.goOn(steps, after: turns - 1) } }
        guard let step = steps.first else { return stop() }
        step()
        goOn(steps.dropFirst(), after: 30)
    }
}
