public import FoundationEssentials
import Roost
import Synchronization

/// A clock for tests: time stands still until the test lets it pass.
///
///     let clock = TestClock()
///     let client = TestClient(try withClock(clock) { try makeApp(.testing) })
///     clock.advance(by: .hours(24))
///
/// Everything that is created inside `withClock` uses it: sessions, tokens, limits and jobs. Tasks that sleep by it
/// wake when their time has come. The clock begins at zero.
public final class TestClock: Clock, MovedClock, Sendable {
    /// A point in time, as the duration since the clock was made.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// The time at which the clock was made.
        static let zero = Instant(offset: .zero)

        /// Returns the time after a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the duration to another instant.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Returns whether the left one is the earlier one.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant.zero
        var count = 0
        var sleepers: [Int: (deadline: Instant, waking: AsyncStream<Void>.Continuation)] = [:]
        /// The numbers of sleepers that are waited for.
        var watchers: [(count: Int, latch: Latch)] = []

        /// The number of another sleeper.
        mutating func nextNumber() -> Int {
            count += 1
            return count
        }
    }

    private let state = Mutex(State())

    /// The time at which the clock begins; nil for the system's.
    package let start: Date?

    /// Creates a clock.
    /// - Parameter date: The date at which it starts, for applications that use it; by default, the system's.
    public init(at date: Date? = nil) { start = date }

    /// The present time, as the duration that the clock has been moved. A `TimeSource` gives it as a `Date`:
    ///
    ///     let time = withClock(clock) { TimeSource.current }
    ///     time.now
    public var now: Instant { state.withLock { $0.now } }

    /// The time that has passed since the clock was made.
    package var elapsed: Duration { now.offset }

    /// Zero: the clock is exact.
    public var minimumResolution: Duration { .zero }

    /// Waits until the test has let the time pass.
    /// - Throws: `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let (wakings, waking) = AsyncStream<Void>.makeStream()
        let number = state.withLock { $0.nextNumber() }
        waking.onTermination = { [self] _ in state.withLock { $0.sleepers[number] = nil } }
        try Task.checkCancellation()
        let watchers = state.withLock { state -> [Latch]? in
            guard deadline > state.now else { return nil }
            state.sleepers[number] = (deadline, waking)
            let count = state.sleepers.count
            defer { state.watchers.removeAll { $0.count <= count } }
            return state.watchers.filter { $0.count <= count }.map(\.latch)
        }
        guard let watchers else { return }
        for watcher in watchers { watcher.open() }
        guard await wakings.first(where: { _ in true }) != nil else { throw CancellationError() }
    }

    /// Lets time pass. Sleepers whose time has come wake, the earliest first, and go on in their own tasks.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value.waking)
        }
        for waking in woken { waking.yield() }
    }

    /// Waits until at least this many tasks sleep by the clock, or its own task is cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        let latch = Latch()
        state.withLock { state in
            if state.sleepers.count >= count { latch.open() } else { state.watchers.append((count, latch)) }
        }
        await latch.wait()
    }
}
