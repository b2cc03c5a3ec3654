internal import CLibevent
import Glibc

/// One task that waits for one event; used on the loop's thread only.
final class LoopWait {
    private let loop: EventLoop
    private var event: IOEvent?
    private var continuation: CheckedContinuation<Readiness, any Error>?
    private var isCancelled = false

    private init(_ loop: EventLoop) { self.loop = loop }

    /// Waits, at most for the remaining time if there is a limit; callable from any thread.
    static func run(
        on loop: EventLoop,
        _ descriptor: Int32,
        _ readiness: Readiness,
        _ rest: Duration?
    ) async throws -> Readiness {
        let wait = LoopBound(LoopWait(loop), to: loop)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if loop.isCurrent { return wait.value.begin(descriptor, readiness, rest, continuation) }
                let isTaken = loop.submit { wait.value.begin(descriptor, readiness, rest, continuation) }
                if !isTaken { continuation.resume(throwing: EventLoopEnded()) }
            }
        } onCancel: {
            loop.execute { wait.value.cancel() }
        }
    }

    private func begin(
        _ descriptor: Int32,
        _ readiness: Readiness,
        _ rest: Duration?,
        _ continuation: CheckedContinuation<Readiness, any Error>
    ) {
        // A task that was cancelled before it waits has already sent `cancel`.
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        self.continuation = continuation
        // A peer that always has something must not outlast its deadline: from a second after it, that alone counts.
        let mayLook = rest.map { $0 > .seconds(-1) } ?? true
        let event = IOEvent(loop, descriptor, readiness) { [self] ready in
            // Where the timer is due, libevent tells of that alone. What came before, as while a program was stopped or
            // its loop blocked, is not late.
            let ready = ready.isEmpty && mayLook ? Self.look(descriptor, readiness) : ready
            end(ready.isEmpty ? .failure(DeadlinePassed()) : .success(ready))
        }
        guard event.add(after: rest) else { return end(.failure(SystemError("epoll_ctl"))) }
        self.event = event
        if !loop.keep(self) { loopEnds() }
    }

    /// The readiness of a descriptor now; none for a timer.
    private static func look(_ descriptor: Int32, _ readiness: Readiness) -> Readiness {
        guard descriptor >= 0 else { return [] }
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        if readiness.contains(.readable) { entry.events |= Int16(POLLIN) }
        if readiness.contains(.writable) { entry.events |= Int16(POLLOUT) }
        guard poll(&entry, 1, 0) == 1 else { return [] }
        // An end or an error is for whoever reads or writes next.
        let happened = entry.revents & entry.events
        if happened == 0 { return readiness }
        var ready: Readiness = []
        if happened & Int16(POLLIN) != 0 { ready.insert(.readable) }
        if happened & Int16(POLLOUT) != 0 { ready.insert(.writable) }
        return ready
    }

    /// The event will never happen.
    func loopEnds() { end(.failure(EventLoopEnded())) }

    private func cancel() {
        isCancelled = true
        end(.failure(CancellationError()))
    }

    private func end(_ result: Result<Readiness, any Error>) {
        event = nil
        loop.release(self)
        continuation?.resume(with: result)
        continuation = nil
    }
}
