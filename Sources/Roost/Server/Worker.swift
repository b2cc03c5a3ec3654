import Glibc
import Logging

/// One event loop at work: its listener, its connections, its clock, its signals.
///
/// `@unchecked Sendable`: what it has is used by closures on the loop's thread only.
final class Worker: @unchecked Sendable {
    private let loop: EventLoop
    private let group: ConnectionGroup
    private var listener: Listener?
    private var events: [IOEvent] = []
    private var drainDeadline = Int.max

    /// A worker that listens nowhere yet, and whose time stands still.
    init(
        _ loop: EventLoop,
        _ responder: any Responder,
        _ configuration: ServerConfiguration,
        _ logger: Logger
    ) {
        self.loop = loop
        let limits = configuration.connectionLimits
        group = ConnectionGroup(loop: loop, responder: responder, limits: limits, logger: logger)
    }

    /// Accepts connections from a listening socket, and counts seconds.
    func listen(_ socket: Int32) async {
        await onLoop { worker in
            worker.listener = Listener(socket, worker.group)
            worker.watch(-1, [.persistent], every: 1000) { [unowned worker] in worker.second() }
        }
    }

    /// Serves a connected, non-blocking socket.
    func adopt(_ socket: Int32) async {
        await onLoop { $0.group.add(socket) }
    }

    /// Lets a second go by.
    func tick() async {
        await onLoop { $0.second() }
    }

    func connectionCount() async -> Int {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: self.group.count) }
        }
    }

    /// Calls `body` on SIGTERM and SIGINT. libevent keeps signals in one loop only, so one worker does this.
    func onSignal(_ body: @escaping @Sendable () -> Void) async {
        await onLoop { worker in
            for signal in [SIGTERM, SIGINT] {
                worker.watch(signal, [.signal, .persistent]) { body() }
            }
        }
    }

    /// Stops accepting and returns when the last connection has ended, at the latest after `timeout` seconds.
    func drain(timeout: Int) async {
        await withCheckedContinuation { continuation in
            loop.execute {
                self.listener?.stop()
                self.listener = nil
                self.drainDeadline = self.group.now + timeout
                self.group.drain {
                    self.events = []
                    continuation.resume()
                }
            }
        }
    }

    private func second() {
        group.tick(time(nil))
        if group.now >= drainDeadline { group.closeAll() }
    }

    private func watch(
        _ descriptor: Int32,
        _ interest: IOEvent.Interest,
        every milliseconds: Int? = nil,
        _ body: @escaping () -> Void
    ) {
        let event = IOEvent(loop, descriptor, interest) { _ in body() }
        event.add(after: milliseconds)
        events.append(event)
    }

    private func onLoop(_ body: @escaping @Sendable (Worker) -> Void) async {
        await withCheckedContinuation { continuation in
            loop.execute {
                body(self)
                continuation.resume()
            }
        }
    }
}
