import Logging
import Roost
import Synchronization

/// Writes that have failed because the database could not be reached, and must not be lost for that: the end of a
/// request with an `Idempotency-Key`. Each does no harm when it is made twice.
///
/// Nobody waits for them. One task at a time tries them again, after 1, 2, 4 … 10 seconds, until the time of each is
/// over. When the database's service stops, they are tried for some seconds more.
final class LateWrites: Sendable {
    struct Write: Sendable {
        var sql: SQL
        /// The statement that is made in its place when its values are too large to wait.
        let short: SQL
        /// A sentence for the log without its full stop: what could not be done.
        let failure: String
        let database: Database
        let logger: Logger
        /// Tells the time that this write goes by.
        let time: TimeSource
        /// The instant from which on nobody needs it.
        let end: ContinuousClock.Instant

        /// The bytes of its values.
        fileprivate var size: Int { sql.bindings.reduce(0) { $0 + $1.size } }

        fileprivate var isLate: Bool { time.instant() >= end }

        fileprivate func giveUp(_ reason: String) { logger.error("\(failure): \(reason)") }
    }

    private let state = Mutex(State())

    private struct State {
        /// Those that wait, the next to be tried first.
        var writes: [(number: Int, write: Write)] = []
        var lastNumber = 0
        /// The task that tries them; nil while there are none.
        var task: Task<Void, Never>?
    }

    /// The most writes that may wait; more are dropped.
    private static let maximumCount = 1000
    /// The most bytes of values that may wait; beyond that, only the short statements do.
    static let maximumSize = 16 << 20
    /// The time that a program which ends waits for them.
    private static let lastTry = Duration.seconds(5)
    /// The time between two tries then.
    private static let lastPause = Duration.milliseconds(200)

    /// Tries a write again soon, if the error with which it has failed may pass.
    func note(_ write: Write, after error: any Error) {
        guard Self.mayPass(error) else { return write.giveUp("\(error)") }
        let isNoted = state.withLock { state in
            guard state.writes.count < Self.maximumCount else { return false }
            var noted = write
            let size = state.writes.reduce(write.size) { $0 + $1.write.size }
            if size > Self.maximumSize { noted.sql = write.short }
            state.lastNumber += 1
            state.writes.append((state.lastNumber, noted))
            // Not on an event loop, which may end before, and in no transaction, even if this task is in one.
            if state.task == nil { state.task = Task.detached { [self] in await work() } }
            return true
        }
        guard isNoted else { return write.giveUp("\(error) Too many others wait for the database.") }
        write.logger.warning("\(write.failure), and that is tried again: \(error)")
    }

    /// Returns once everything that has been noted is written or given up, for tests.
    func settle() async { await state.withLock { $0.task }?.value }

    /// Tries what waits for some seconds more, and gives up the rest: the database stops.
    func finish() async {
        guard let task = state.withLock({ $0.task }) else { return }
        task.cancel()
        _ = await inTime(Self.lastTry) { [self] in
            await task.value
            while !(await tryAll()), let time = state.withLock({ $0.writes.first?.write.time }) {
                let clock: any Clock<Duration> = time.clock ?? ContinuousClock()
                guard (try? await clock.sleep(for: Self.lastPause)) != nil else { return }
            }
        }
        let rest = state.withLock { state in
            defer {
                state.writes = []
                state.task = nil
            }
            return state.writes.map(\.write)
        }
        for write in rest { write.giveUp("The program ends.") }
    }

    private func work() async {
        var delay = 1
        while let time = next() {
            let clock: any Clock<Duration> = time.clock ?? ContinuousClock()
            guard (try? await clock.sleep(for: .seconds(delay))) != nil else { return }
            delay = await tryAll() ? 1 : min(10, 2 * delay)
        }
    }

    /// Gives up what nobody needs any more.
    /// - Returns: The time that the next write goes by; nil when there is none, and the task ends.
    private func next() -> TimeSource? {
        let (time, late) = state.withLock { state in
            let writes = Dictionary(grouping: state.writes) { $0.write.isLate }
            state.writes = writes[false] ?? []
            if state.writes.isEmpty { state.task = nil }
            return (state.writes.first?.write.time, (writes[true] ?? []).map(\.write))
        }
        for write in late { write.giveUp("The database could not be reached for too long.") }
        return time
    }

    /// Tries what waits, until one fails.
    /// - Returns: Whether none has.
    private func tryAll() async -> Bool {
        for (number, write) in state.withLock({ $0.writes }) {
            do {
                try await write.database.execute(write.sql)
                state.withLock { $0.writes.removeAll { $0.number == number } }
            } catch let error where Self.mayPass(error) {
                // Behind the others, in case it alone is at fault.
                state.withLock { state in
                    guard let place = state.writes.firstIndex(where: { $0.number == number }) else { return }
                    let failed = state.writes.remove(at: place)
                    state.writes.append(failed)
                }
                return false
            } catch {
                state.withLock { $0.writes.removeAll { $0.number == number } }
                write.giveUp("\(error)")
            }
        }
        return true
    }

    /// Whether a write may succeed later: the database is away, and its service has not stopped.
    private static func mayPass(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return error is CancellationError }
        return error.isUnavailability && error != .unavailable(DatabaseError.notOpen)
    }
}
