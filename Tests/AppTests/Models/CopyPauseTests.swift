import Roost
import RoostSQL
import Synchronization
import Testing

@testable import App

/// A copy of the database that fails, on a clock that the test controls.
@Suite("A copy that fails", .timeLimit(.minutes(5)))
struct CopyPauseTests {
    /// A driver whose server hangs until the statement's time is over.
    private final class HangingDriver: SQLDriver {
        let attempts = Atomic(0)
        var dialect: SQLDialect { .postgresql }

        func start() async throws {}
        func stop() async {}

        func begin(
            _ isolation: SQLIsolation, deadline: ContinuousClock.Instant
        ) async throws -> any SQLDriverTransaction {
            attempts.add(1, ordering: .relaxed)
            throw DatabaseError.timeout("The server hangs.")
        }

        func run<State: Sendable>(
            _ statement: SQLStatement, into state: State,
            _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
        ) async throws -> SQLOutcome<State> {
            attempts.add(1, ordering: .relaxed)
            throw DatabaseError.timeout("The server hangs.")
        }

        func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws {}
        func open(_ statement: SQLStatement) async throws -> any SQLCursor { throw DatabaseError.timeout("") }
    }

    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { time.withLock { $0 } }
        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    @Test func `one that hangs is left alone for five seconds, and then tried by one read`() async throws {
        let (driver, clock) = (HangingDriver(), Clock())
        let database = Database(driver)
        let replica = ReadReplica(of: database, copy: database) { clock.now }
        for attempts in 1...3 {
            for _ in 0..<100 {
                #expect(try await replica.read(from: 0) { _, _ in 1 } == nil)
                #expect(driver.attempts.load(ordering: .relaxed) == attempts)
            }
            clock.pass(.seconds(5))
        }
    }

    @Test func `one that works again is used by all at once`() {
        let clock = Clock()
        let pause = CopyPause(.seconds(5)) { clock.now }
        pause.failed()
        #expect(!pause.mayTry())
        clock.pass(.seconds(5))
        #expect(pause.mayTry())
        #expect(!pause.mayTry())
        pause.succeeded()
        #expect(pause.mayTry() && pause.mayTry())
    }
}
