import FoundationEssentials
public import Roost

// A job's row says when it is due, and who runs it until when. Whoever finds it due and free takes it with one UPDATE,
// which only one of several instances can win. All times are the database's own, unless a test has others.

/// Lets the instances that share a database run a job in turns: once in each interval, whoever asks first.
///
///     let lock = SQLJobLock(database)
///     let job = Periodic("digest", every: .hours(24), lock: lock) { try await sendDigest() }
///     try Application(services: [database, migrator, job]) { routes in … }
///
/// It needs a table, which a migration creates:
///
///     CREATE TABLE jobs (name TEXT PRIMARY KEY, due_at BIGINT NOT NULL, holder TEXT, held_until BIGINT NOT NULL);
///
/// An instance that ends in the middle of a run, or loses the database, keeps the job until its ``lease`` is over; then
/// another one runs it. So a job may run twice for the same time: let it do no harm.
public struct SQLJobLock: JobLock {
    private let database: Database
    /// The time for which a claim holds unless it is renewed.
    public let lease: Duration
    private let now: (@Sendable () -> Duration)?

    /// - Parameters:
    ///   - lease: For how long a claim holds unless it is renewed, at least three seconds; the same for all instances.
    ///   - now: The time since 1970, the same for all instances; by default, the database's.
    public init(_ database: Database, lease: Duration = .seconds(60), now: (@Sendable () -> Duration)? = nil) {
        self.database = database
        self.lease = max(lease, .seconds(3))
        self.now = now
    }

    private struct Row: Decodable, Sendable {
        let due, held: Int
    }

    /// Takes the job if it is due and nobody runs it. The first claim ever makes it due in one interval.
    public func claim(_ job: String, every interval: Duration) async throws -> JobClaim {
        let claim = JobLease(job: job, token: UUID().uuidString.lowercased(), interval: interval)
        let milliseconds = Self.milliseconds(interval)
        // The interval may have become shorter, or the clock may have gone back: due later than that is due.
        let taken = try await database.execute(
            """
            UPDATE jobs SET holder = \(claim.token), held_until = \(time) + \(Self.milliseconds(lease))
            WHERE name = \(job) AND held_until <= \(time) AND (due_at <= \(time) OR due_at > \(time) + \(milliseconds))
            """
        )
        if taken > 0 { return .granted(claim) }
        try await database.execute(
            """
            INSERT INTO jobs (name, due_at, held_until) VALUES (\(job), \(time) + \(milliseconds), 0)
            ON CONFLICT (name) DO NOTHING
            """
        )
        let row = try await database.first(
            "SELECT due_at - \(time) AS due, held_until - \(time) AS held FROM jobs WHERE name = \(job)", as: Row.self)
        guard let row else { return .later(.milliseconds(1)) }
        let lease = Self.milliseconds(lease)
        if row.held > lease { try await shorten(job) }
        // Due later than in an interval is due.
        let due = row.due > milliseconds ? 0 : row.due
        return .later(.milliseconds(max(due, min(row.held, lease), 1)))
    }

    /// Has a claim end one lease from now. It ends later only if the clock has gone back, and then its holder may be
    /// dead; one that is alive renews it in time.
    private func shorten(_ job: String) async throws {
        let end: SQL = "\(time) + \(Self.milliseconds(lease))"
        try await database.execute("UPDATE jobs SET held_until = \(end) WHERE name = \(job) AND held_until > \(end)")
    }

    /// Prolongs the claim.
    public func renew(_ lease: JobLease) async throws -> Bool {
        try await database.execute(
            """
            UPDATE jobs SET held_until = \(time) + \(Self.milliseconds(self.lease))
            WHERE name = \(lease.job) AND holder = \(lease.token)
            """
        ) > 0
    }

    /// Ends the claim. The job is due again at the first of its times that has not passed.
    public func release(_ lease: JobLease) async throws {
        let interval = Self.milliseconds(lease.interval)
        try await database.execute(
            """
            UPDATE jobs SET holder = NULL, held_until = 0,
                due_at = CASE WHEN due_at > \(time) THEN \(time) + \(interval)
                    ELSE due_at + \(interval) * ((\(time) - due_at) / \(interval) + 1) END
            WHERE name = \(lease.job) AND holder = \(lease.token)
            """
        )
    }

    /// The time in milliseconds since 1970.
    private var time: SQL {
        if let now { return "CAST(\(Self.milliseconds(now())) AS BIGINT)" }
        return switch database.dialect {
        case .sqlite: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
        case .postgresql: "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int { max(1, Int(duration / .milliseconds(1))) }
}
