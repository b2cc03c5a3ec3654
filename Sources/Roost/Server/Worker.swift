import Glibc
import Logging

/// One event loop at work: its listener, its connections, its clock, its signals.
///
/// `@unchecked Sendable`: after `init` everything is touched by closures on the loop's thread only.
final class Worker: @unchecked Sendable {
    private let loop: EventLoop
    private var group: ConnectionGroup?
    private var listener: Listener?
    private var events: [IOEvent] = []
    private var drainDeadline = Int.max

    init(
        _ loop: EventLoop,
        _ socket: Int32,
        _ responder: any Responder,
        _ configuration: ServerConfiguration,
        _ logger: Logger
    ) async {
        self.loop = loop
        await onLoop { worker in
            let group = ConnectionGroup(
                loop: loop,
                responder: responder,
                limits: configuration.connection,
                logger: logger
            )
            worker.group = group
            worker.listener = Listener(socket, group)
            worker.watch(-1, [.persistent], every: 1000) { [unowned worker] in worker.tick() }
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
                self.drainDeadline = (self.group?.now ?? 0) + timeout
                guard let group = self.group else { return continuation.resume() }
                group.drain {
                    self.events = []
                    self.group = nil
                    continuation.resume()
                }
            }
        }
    }

    private func tick() {
        guard let group else { return }
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
