public import FoundationEssentials
import Glibc

/// The present time for the parts of an application: the system's, or that of a test's clock.
///
/// Whatever is made inside ``withClock(_:_:)`` reads that clock: sessions, tokens, limits, jobs. An application's own
/// code keeps a source, and reads the time from it:
///
///     let time = TimeSource.current
///     routes.get(Path("/today")) { _ in "\(time.now)" }
public struct TimeSource: Sendable {
    /// The source of the current task: the clock of ``withClock(_:_:)``, otherwise the system's time.
    public static var current: TimeSource { ofTask ?? TimeSource(clock: nil, elapsed: nil) }

    @TaskLocal fileprivate static var ofTask: TimeSource?

    /// The clock of a test; nil for the system's time.
    package let clock: (any Clock<Duration>)?
    private let passed: (@Sendable () -> Duration)?
    private let start: Duration
    private let startInstant = ContinuousClock.now

    private init(clock: (any Clock<Duration>)?, start: Date? = nil, elapsed: (@Sendable () -> Duration)?) {
        (self.clock, passed) = (clock, elapsed)
        self.start = start.map(Self.sinceEpoch) ?? Self.systemTime
    }

    /// The time from 1970 to a date, to the nanosecond.
    private static func sinceEpoch(_ date: Date) -> Duration {
        let time = date.timeIntervalSince1970
        let seconds = Int64(time)
        return .seconds(seconds) + .nanoseconds(Int64((time - Double(seconds)) * 1e9))
    }

    /// Creates a source that goes by a clock: it adds what the clock has let pass to the time at which that began, or
    /// to the system's. So an application that is made again, by a clock that a test has moved, does not go back.
    package init(_ clock: some Clock<Duration>) {
        let moved = clock as? any MovedClock
        let (first, before) = (clock.now, moved?.elapsed ?? Duration.zero)
        self.init(clock: clock, start: moved?.start) { before + first.duration(to: clock.now) }
    }

    /// The time that a test's clock has let pass; zero for the system's time.
    package var elapsed: Duration { passed?() ?? .zero }

    /// The time since 1970.
    package func sinceEpoch() -> Duration { passed.map { start + $0() } ?? Self.systemTime }

    /// The present time.
    public var now: Date {
        // Unlike a quotient, which is rounded twice, this leaves a whole second whole.
        let (seconds, attoseconds) = sinceEpoch().components
        return Date(timeIntervalSince1970: Double(seconds) + Double(attoseconds) / 1e18)
    }

    /// The present time in seconds since 1970.
    public func secondsSince1970() -> Int { Int(sinceEpoch().components.seconds) }

    /// The time in seconds since 1970 at which a number of seconds from now have passed; if they are too many, the last
    /// time that there is.
    package func secondsSince1970(after seconds: Int) -> Int {
        let (sum, isTooLate) = secondsSince1970().addingReportingOverflow(seconds)
        return isTooLate ? .max : sum
    }

    /// The present time in milliseconds since 1970.
    package func millisecondsSince1970() -> Int { sinceEpoch().wholeMilliseconds }

    /// The present instant, for durations.
    public func instant() -> ContinuousClock.Instant { if let passed { startInstant + passed() } else { .now } }

    /// The system's time since 1970.
    package static var systemTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// A clock that knows how far it has been moved since it was made.
package protocol MovedClock {
    /// The time at which it begins; nil for the system's.
    var start: Date? { get }
    var elapsed: Duration { get }
}

/// Makes an application, or a part of one, that reads a test's clock, by which its sessions, tokens, limits and jobs
/// all measure time.
///
///     let clock = TestClock()
///     let client = TestClient(try withClock(clock) { try makeApp(.testing) })
///     clock.advance(by: .hours(24))
///
/// Time begins at the system's, or at that of `TestClock(at:)`, and then moves only with the clock. Timeouts that
/// protect the server and its database still use the system's time.
public func withClock<Value>(_ clock: some Clock<Duration>, _ make: () throws -> Value) rethrows -> Value {
    try TimeSource.$ofTask.withValue(TimeSource(clock), operation: make)
}

/// Makes something that reads a test's clock, with a function that may wait.
public func withClock<Value>(
    _ clock: some Clock<Duration>, _ make: () async throws -> Value
) async rethrows -> Value {
    try await TimeSource.$ofTask.withValue(TimeSource(clock), operation: make)
}
