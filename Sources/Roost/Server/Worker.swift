import Glibc
import Logging

/// One event loop at work: its listener, its connections, its clock, its signals.
///
/// `@unchecked Sendable`: what it has is used by closures on the loop's thread only.
final class Worker: @unchecked Sendable {
    private let loop: EventLoop
    private let group: ConnectionGroup
    private let room: ConnectionRoom
    private let logger: Logger
    private var listeners: [Listener] = []
    private var events: [IOEvent] = []
    private var drainDeadline = Int.max
    /// What time it is where time stands still.
    private var testTime = time(nil)

    /// A worker that listens nowhere yet, and whose time stands still.
    init(
        _ loop: EventLoop,
        _ responder: any Responder,
        _ configuration: ServerConfiguration,
        _ logger: Logger,
        _ room: ConnectionRoom = ConnectionRoom(.max)
    ) {
        self.loop = loop
        self.room = room
        self.logger = logger
        let limits = configuration.connectionLimits
        group = ConnectionGroup(loop: loop, responder: responder, limits: limits, logger: logger)
    }

    /// Accepts connections from listening sockets, and counts seconds.
    func listen(_ sockets: [Int32], isOwn: Bool, batch: Int) async {
        await onLoop { worker in
            worker.group.onClose = { [room = worker.room] in room.leave() }
            worker.listeners = sockets.map { Listener($0, worker.group, worker.room, isOwn: isOwn, batch: batch) }
            worker.watch(-1, [.persistent], every: 1000) { [unowned worker] in worker.second(time(nil)) }
        }
    }

    /// Serves a connected, non-blocking socket.
    func adopt(_ socket: Int32) async {
        await onLoop { $0.group.add(socket) }
    }

    /// Lets a second go by.
    func tick() async {
        await onLoop { worker in
            worker.testTime += 1
            worker.second(worker.testTime)
        }
    }

    func isDraining() async -> Bool {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: self.group.isDraining) }
        }
    }

    func connectionCount() async -> Int {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: self.group.count) }
        }
    }

    func unsentCount() async -> Int {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: self.group.unsentCount) }
        }
    }

    func shedIdle() async -> Int {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: self.group.shedIdle()) }
        }
    }

    /// Calls `body` on the first SIGTERM or SIGINT.
    func onSignal(_ body: @escaping @Sendable () -> Void) async {
        await onLoop { worker in worker.watch(EndSignals.descriptor, [.read]) { body() } }
    }

    /// Stops accepting and returns when the last connection has ended, at the latest `timeout` seconds later.
    /// - Parameter settling: For how many milliseconds, before the sockets close, connections that have begun are still
    ///   accepted, and idle ones may still send a request: its answer tells them that it is the last.
    /// - Parameter patience: For how many seconds more one that has just been busy may do so.
    func drain(timeout: Int, settling: Int, patience: Int) async {
        await onLoop { worker in
            worker.group.beginDrain()
            for listener in worker.listeners { listener.stopArrivals() }
        }
        if settling > 0 { await pause(settling) }
        await withCheckedContinuation { continuation in
            loop.execute {
                for listener in self.listeners { listener.stop() }
                self.listeners = []
                self.drainDeadline = self.group.now + timeout
                self.group.drain(patience: patience) {
                    self.events = []
                    continuation.resume()
                }
            }
        }
    }

    private func pause(_ milliseconds: Int) async {
        await withCheckedContinuation { continuation in
            loop.execute { self.watch(-1, [], every: milliseconds) { continuation.resume() } }
        }
    }

    /// - Parameter time: The seconds since 1970.
    private func second(_ time: Int) {
        group.tick(time)
        if room.takeWish() { _ = group.shedIdle() }
        guard group.now >= drainDeadline else { return }
        let cut = group.closeAll()
        if cut > 0 { logger.warning("\(cut) connections were cut off because the time to drain was over.") }
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
