import Engines
import Roost
import RoostSQL
import Synchronization
import Testing

@Suite("Jobs of several instances", .timeLimit(.minutes(5)))
struct SQLJobLockTests {
    /// The time since 1970 of all instances.
    private final class Time: Sendable {
        private let seconds = Mutex(Duration.seconds(1_000_000))

        var now: Duration { seconds.withLock { $0 } }
        func advance(_ duration: Double) { seconds.withLock { $0 += .seconds(duration) } }
    }

    private static let table: SQL =
        "CREATE TABLE jobs (name TEXT PRIMARY KEY, due_at BIGINT NOT NULL, holder TEXT, held_until BIGINT NOT NULL)"

    /// Two instances, and the job that they share: it runs each minute.
    private static func run(
        _ engine: Engine, _ body: (SQLJobLock, SQLJobLock, Time) async throws -> Void
    ) async throws {
        try await engine.run(instances: 2) { (databases) async throws in
            try await databases[0].execute(Self.table)
            let time = Time()
            let locks = databases.map { SQLJobLock($0, lease: .seconds(30)) { time.now } }
            try await body(locks[0], locks[1], time)
        }
    }

    private static func lease(_ claim: JobClaim) throws -> JobLease {
        guard case .granted(let lease) = claim else { throw NotGranted(claim: claim) }
        return lease
    }

    private struct NotGranted: Error { let claim: JobClaim }

    @Test(arguments: Engine.allCases)
    func `the first claim makes it due in an interval, and one instance gets it`(engine: Engine) async throws {
        try await Self.run(engine) { (one, other, time) async throws in
            #expect(try await one.claim("digest", every: .minutes(1)) == .later(.minutes(1)))
            #expect(try await other.claim("digest", every: .minutes(1)) == .later(.minutes(1)))
            time.advance(60)
            let lease = try Self.lease(try await one.claim("digest", every: .minutes(1)))
            #expect(try await other.claim("digest", every: .minutes(1)) == .later(.seconds(30)))
            time.advance(2.5)
            try await one.release(lease)
            for lock in [one, other] {
                #expect(try await lock.claim("digest", every: .minutes(1)) == .later(.milliseconds(57_500)))
            }
            // Another job has times of its own.
            #expect(try await other.claim("cleanup", every: .hours(1)) == .later(.hours(1)))
        }
    }

    @Test(arguments: Engine.allCases)
    func `times that have passed are left out, and the others stay where they were`(engine: Engine) async throws {
        try await Self.run(engine) { (one, other, time) async throws in
            _ = try await one.claim("digest", every: .minutes(1))
            time.advance(200)  // due since 60
            let lease = try Self.lease(try await other.claim("digest", every: .minutes(1)))
            time.advance(5)
            try await other.release(lease)
            #expect(try await one.claim("digest", every: .minutes(1)) == .later(.seconds(35)))
        }
    }

    @Test(arguments: Engine.allCases)
    func `when an instance ends in the middle, another one runs the job`(engine: Engine) async throws {
        try await Self.run(engine) { (one, other, time) async throws in
            _ = try await one.claim("digest", every: .minutes(1))
            time.advance(60)
            let first = try Self.lease(try await one.claim("digest", every: .minutes(1)))
            time.advance(20)
            #expect(try await one.renew(first))
            time.advance(29)
            #expect(try await other.claim("digest", every: .minutes(1)) == .later(.seconds(1)))
            time.advance(1)
            let second = try Self.lease(try await other.claim("digest", every: .minutes(1)))
            #expect(try await !one.renew(first))
            try await one.release(first)
            #expect(try await other.renew(second))
        }
    }

    @Test(arguments: Engine.allCases)
    func `a clock that has gone back keeps nobody waiting for a holder that is dead`(engine: Engine) async throws {
        try await Self.run(engine) { (one, other, time) async throws in
            _ = try await one.claim("digest", every: .minutes(1))
            time.advance(60)
            let first = try Self.lease(try await one.claim("digest", every: .minutes(1)))
            time.advance(-3600)
            #expect(try await other.claim("digest", every: .minutes(1)) == .later(.seconds(30)))
            // One that is alive renews it in time, and keeps it.
            time.advance(20)
            #expect(try await one.renew(first))
            time.advance(29)
            #expect(try await other.claim("digest", every: .minutes(1)) == .later(.seconds(1)))
            time.advance(1)
            _ = try Self.lease(try await other.claim("digest", every: .minutes(1)))
        }
    }

    @Test(arguments: Engine.allCases)
    func `a shorter interval counts at once`(engine: Engine) async throws {
        try await Self.run(engine) { (one, _, time) async throws in
            _ = try await one.claim("digest", every: .hours(24))
            time.advance(1)
            let lease = try Self.lease(try await one.claim("digest", every: .minutes(1)))
            try await one.release(lease)
            guard case .later(let wait) = try await one.claim("digest", every: .minutes(1)) else {
                Issue.record("It is due again.")
                return
            }
            #expect(wait <= .minutes(1))
        }
    }

    @Test(arguments: Engine.allCases)
    func `of many that ask at once one gets it`(engine: Engine) async throws {
        try await Self.run(engine) { (one, other, time) async throws in
            _ = try await one.claim("digest", every: .minutes(1))
            time.advance(60)
            let claims = try await withThrowingTaskGroup { group in
                for lock in Array(repeating: [one, other], count: 10).joined() {
                    group.addTask { try await lock.claim("digest", every: .minutes(1)) }
                }
                return try await group.reduce(into: [JobClaim]()) { $0.append($1) }
            }
            #expect(claims.count { if case .granted = $0 { true } else { false } } == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `without another clock it asks the database`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.execute(Self.table)
            let lock = SQLJobLock(database)
            guard case .later(let wait) = try await lock.claim("digest", every: .hours(1)) else {
                Issue.record("It was never run, and is due.")
                return
            }
            #expect(wait > .minutes(59) && wait <= .hours(1))
            try await database.execute("UPDATE jobs SET due_at = due_at - 3600000")
            let lease = try Self.lease(try await lock.claim("digest", every: .hours(1)))
            #expect(try await lock.renew(lease))
            try await lock.release(lease)
            #expect(try await !lock.renew(lease))
        }
    }
}
