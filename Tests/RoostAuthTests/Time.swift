import Roost
import RoostTesting

/// A clock that a test moves, and the time that whatever is made by it reads.
struct Time: Sendable {
    private let clock = TestClock()
    private let source: TimeSource

    /// - Parameter passed: The seconds by which it is ahead of the system's.
    init(passed: Int = 0) {
        clock.advance(by: .seconds(passed))
        source = withClock(clock) { TimeSource.current }
    }

    /// In milliseconds since 1970.
    var milliseconds: Int { source.millisecondsSince1970() }
    /// In seconds since 1970.
    var seconds: Int { source.secondsSince1970() }

    func pass(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }
    func pass(milliseconds: Int) { clock.advance(by: .milliseconds(milliseconds)) }

    /// Makes something that goes by this clock.
    func callAsFunction<Value>(_ make: () throws -> Value) rethrows -> Value { try withClock(clock, make) }
}
