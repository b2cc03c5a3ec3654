import Roost
import RoostSQL

// A job is a row of `queued_jobs`. Its `due_at` says when it may be taken. Who takes it sets `holder` to itself and
// `due_at` to the end of its lease, which it renews while the job runs: if it ends without a word, the job is due again
// by itself. A job that is done is deleted; one that is dead has no `due_at`. All times are in milliseconds since 1970
// and PostgreSQL's own, or this machine's where the database is a file on it.

/// The statements of the queue.
struct JobTable: Sendable {
    let database: Database
    /// The time since 1970 of a test; nil for the real one.
    let testTime: (@Sendable () -> Duration)?

    init(_ database: Database, testTime: (@Sendable () -> Duration)? = nil) {
        self.database = database
        self.testTime = testTime
    }

    /// The same table with another time limit for its statements.
    func with(timeout: Duration) -> JobTable { JobTable(database.with(timeout: timeout), testTime: testTime) }

    var isSQLite: Bool { database.dialect == .sqlite }

    /// The present time as the value `$1` of the statements below: nil where the server has the clock.
    private var clock: Int? {
        (testTime?() ?? (isSQLite ? TimeSource.systemTime : nil))?.wholeMilliseconds
    }

    private static let serverTime = "CAST(extract(epoch FROM now()) * 1000 AS BIGINT)"

    /// The present time in a statement that has ``clock`` as `$1`.
    var timeText: String { isSQLite ? "$1" : "coalesce(CAST($1 AS BIGINT), \(Self.serverTime))" }

    /// The present time in a statement.
    var time: SQL { clock.map { "CAST(\($0) AS BIGINT)" } ?? SQL(unchecked: Self.serverTime) }

    /// The milliseconds from a time until `due_at`, in a statement. Other programs may have written there what is no
    /// whole number, or one so small that the difference would have no room.
    static func rest(after time: SQL) -> SQL { "CAST(CASE WHEN due_at < 0 THEN 0 ELSE due_at END - \(time) AS BIGINT)" }

    /// The present time.
    func now() async throws -> Duration {
        if let clock { return .milliseconds(clock) }
        return .milliseconds(try await database.first("SELECT \(time)", as: Int.self) ?? 0)
    }

    /// A condition that a column is one of some numbers, and so in one text for any count of them.
    private func isOne(of ids: some Sequence<Int>, _ column: SQL = "id") -> SQL {
        let list = ids.map(String.init).joined(separator: ",")
        if isSQLite { return "\(column) IN (SELECT value FROM json_each(\("[" + list + "]")))" }
        return "\(column) = ANY(CAST(\("{" + list + "}") AS BIGINT[]))"
    }

    /// The statements that make the tables.
    static func schema(_ dialect: SQLDialect) -> String {
        // So that no number is ever used again. Databases keep the checksum of each engine's text, so it is not
        // `${identity}`.
        let isSQLite = dialect == .sqlite
        let id = isSQLite ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
        return """
            CREATE TABLE queued_jobs (
                id \(id), name TEXT NOT NULL, queue TEXT NOT NULL, priority INTEGER NOT NULL, payload TEXT NOT NULL,
                due_at BIGINT, added_at BIGINT NOT NULL, attempt INTEGER NOT NULL DEFAULT 0, holder BIGINT,
                error TEXT, failed_at BIGINT
            );
            CREATE INDEX queued_jobs_due ON queued_jobs (queue, priority, due_at, id, name);
            CREATE INDEX queued_jobs_dead ON queued_jobs (failed_at) WHERE due_at IS NULL;
            CREATE TABLE paused_queues (queue TEXT PRIMARY KEY, paused_at BIGINT NOT NULL);
            CREATE TABLE job_keys (key TEXT PRIMARY KEY, held_until BIGINT NOT NULL);
            CREATE TABLE job_schedules (name TEXT PRIMARY KEY, line TEXT NOT NULL, next_at BIGINT NOT NULL);
            """
    }

    // MARK: Adding

    /// A job that is to be added.
    struct New {
        let name, queue, payload: String
        let priority: JobPriority
        /// The time at which it is due, or the time from now until then.
        let due: Due

        enum Due {
            case at(Duration)
            case after(Duration)
        }
    }

    /// The channel by which instances tell each other that there is something new.
    static let channel = "roost_jobs"

    /// Adds jobs in a transaction, or by themselves; returns their ids.
    func add(_ list: [New], _ transaction: Transaction?) async throws -> [Int] {
        let time = time
        let rows = list.map { job -> SQL in
            let due: SQL =
                switch job.due {
                case .at(let date): "CAST(\(date.wholeMilliseconds) AS BIGINT)"
                case .after(let delay): delay == .zero ? time : "\(time) + \(delay.wholeMilliseconds)"
                }
            return "(\(job.name), \(job.queue), \(job.priority.rawValue), \(job.payload), \(due), \(time))"
        }
        let insert: SQL = """
            INSERT INTO queued_jobs (name, queue, priority, payload, due_at, added_at) VALUES \(SQL.joined(rows))
            """
        if isSQLite {
            if list.count == 1, transaction == nil { return try await database.insert(insert).map { [$0] } ?? [] }
            let text: SQL = "\(insert) RETURNING id"
            let executor: any SQLExecutor = transaction ?? database
            return try await executor.queryAll(text, as: Int.self)
        }
        // PostgreSQL sends one notification at the commit, however often it was asked for.
        let text: SQL = """
            WITH added AS (\(insert) RETURNING id)
            SELECT id, (SELECT CAST(pg_notify(\(literal: "'roost_jobs'"), '') AS TEXT)) FROM added
            """
        if let transaction { return try await transaction.queryAll(text, as: Int.self) }
        return try await database.change(text, as: Int.self)
    }

    /// Tells all instances to look.
    func notify() async throws {
        if !isSQLite { try await database.execute("SELECT pg_notify(\(Self.channel), '')") }
    }

    /// Takes a key for some time; false when it is taken. One whose end is more than a day later than the new one has
    /// been taken while the clock was ahead; a smaller difference is also that of transactions at the same time.
    func take(_ key: String, for duration: Duration, _ transaction: Transaction) async throws -> Bool {
        try await transaction.execute(
            """
            INSERT INTO job_keys (key, held_until) VALUES (\(key), \(time) + \(duration.wholeMilliseconds))
            ON CONFLICT (key) DO UPDATE SET held_until = excluded.held_until
            WHERE job_keys.held_until <= \(time) OR job_keys.held_until - 86400000 > excluded.held_until
            """
        ) > 0
    }

    // MARK: Taking

    /// Finishes jobs and takes the next ones: as many of each queue as there is room for.
    func exchange(_ done: [Int], for taker: JobTaker, rooms: [Int]) async throws -> [ClaimedJob] {
        var bindings = bindings(taker, queues: taker.queues.map { .text($0) })
        bindings += ([taker.holder, taker.lease.wholeMilliseconds] + rooms).map { .integer(Int64($0)) }
        guard isSQLite else {
            bindings.append(.text("{" + done.map(String.init).joined(separator: ",") + "}"))
            return try await take(SQL(unchecked: taker.text, bindings: bindings))
        }
        // The writer makes both in one transaction, since it is given both at once.
        async let deletion = done.isEmpty ? 0 : finish(done, taker.holder)
        let claimed = rooms.allSatisfy { $0 == 0 } ? [] : try await take(SQL(unchecked: taker.text, bindings: bindings))
        _ = try await deletion
        // If the taking came first, it has taken again what was done after its lease.
        return claimed.filter { !done.contains($0.id) }
    }

    private func finish(_ done: [Int], _ holder: Int) async throws -> Int {
        try await database.execute("DELETE FROM queued_jobs WHERE \(isOne(of: done)) AND holder = \(holder)")
    }

    /// The jobs that a statement takes, in the order in which they begin.
    private func take(_ sql: SQL) async throws -> [ClaimedJob] {
        let claimed = try await database.change(sql, as: ClaimedJob.self)
        return claimed.sorted { ($0.priority, $0.id) < ($1.priority, $1.id) }
    }

    /// The payload of a job that came without it; nil if another holder has the job.
    func payload(of id: Int, _ holder: Int) async throws -> String? {
        try await database.first(
            "SELECT payload FROM queued_jobs WHERE id = \(id) AND holder = \(holder)", as: String.self)
    }

    /// The time until something is due in the queues with room; zero or less when something is, nil when nothing waits.
    func nextDue(for taker: JobTaker, rooms: [Int]) async throws -> Duration? {
        let queues = zip(taker.queues, rooms).map { $1 > 0 ? SQLValue.text($0) : .null }
        let sql = SQL(unchecked: taker.dueText, bindings: bindings(taker, queues: queues))
        return try await database.first(sql, as: Int?.self).flatMap { $0 }.map { .milliseconds($0) }
    }

    func bindings(_ taker: JobTaker, queues: [SQLValue]) -> [SQLValue] {
        [clock.map { .integer(Int64($0)) } ?? .null] + taker.names.map { .text($0) } + queues
    }

    // MARK: Holding

    /// Holds jobs for another lease; returns those that this instance still has.
    func renew(_ ids: [Int], for taker: JobTaker) async throws -> Set<Int> {
        let sql: SQL = """
            UPDATE queued_jobs SET due_at = \(time) + \(taker.lease.wholeMilliseconds)
            WHERE \(isOne(of: ids)) AND holder = \(taker.holder) RETURNING id
            """
        return Set(try await database.queryAll(sql, as: Int.self))
    }

    /// Writes what has become of jobs that this instance has. A database with another encoding than UTF-8 may refuse
    /// the text of an error: all are written in ASCII then, so that one job keeps no other from being settled.
    func settle(_ ends: [(id: Int, end: JobEnd)], _ holder: Int) async throws {
        do {
            try await write(ends, holder)
        } catch let error as DatabaseError where !error.isUnavailability {
            guard ends.contains(where: { !$0.end.isASCII }) else { throw error }
            try await write(ends.map { ($0.id, $0.end.inASCII) }, holder)
        }
    }

    private func write(_ ends: [(id: Int, end: JobEnd)], _ holder: Int) async throws {
        let time = time
        try await database.batch(
            ends.map { id, end in
                let change: SQL =
                    switch end {
                    case .retry(let delay, let error):
                        "due_at = \(time) + \(delay.wholeMilliseconds), error = \(error), failed_at = \(time)"
                    case .dead(let error): "due_at = NULL, error = \(error), failed_at = \(time)"
                    case .givenBack, .done: "due_at = \(time), attempt = attempt - 1"
                    }
                return "UPDATE queued_jobs SET holder = NULL, \(change) WHERE id = \(id) AND holder = \(holder)"
            })
    }

    /// Gives back what a holder has besides some jobs. It does not run that, so it was no try.
    func giveBack(allBut ids: [Int], _ holder: Int) async throws {
        try await database.execute(
            """
            UPDATE queued_jobs SET holder = NULL, due_at = \(time), attempt = attempt - 1
            WHERE holder = \(holder) AND NOT \(isOne(of: ids))
            """)
    }

    // MARK: Schedules

    /// Lets a schedule begin anew.
    func forget(schedule name: String) async throws {
        try await database.execute("DELETE FROM job_schedules WHERE name = \(name)")
    }

    /// If a schedule's time has come, lets it come next at the time that `next` returns, and adds its job; returns
    /// the time until it is due, or zero if it is to be looked at again. Of several instances, one does it.
    /// - Parameter isFirst: Whether a time too far away is corrected, which a clock that was ahead has left. To find
    ///   out which one is too far takes some milliseconds.
    func advance(
        _ name: String, line: String, _ job: New, isFirst: Bool, next: (Duration) -> Duration
    ) async throws -> Duration {
        struct Row: Decodable, Sendable {
            let line: String
            let due: Int
        }
        let sql: SQL = "SELECT line, next_at AS due FROM job_schedules WHERE name = \(name)"
        let row = try await database.first(sql, as: Row.self)
        // The time is asked for last: a time that another instance has just done has come for this one, too.
        let now = try await now()
        let due: Duration
        if let row, row.line == line, row.due > now.wholeMilliseconds {
            guard isFirst else { return .milliseconds(row.due) - now }
            due = next(now)
            // Where clocks differ a little, it may be the time after the next one.
            guard row.due > next(due).wholeMilliseconds else { return .milliseconds(row.due) - now }
        } else {
            due = next(now)
        }
        let isOurs = try await database.transaction { transaction in
            guard let row else {
                return try await transaction.execute(
                    """
                    INSERT INTO job_schedules (name, line, next_at) VALUES (\(name), \(line), \(due.wholeMilliseconds))
                    ON CONFLICT (name) DO NOTHING
                    """) > 0
            }
            let taken = try await transaction.execute(
                """
                UPDATE job_schedules SET next_at = \(due.wholeMilliseconds), line = \(line)
                WHERE name = \(name) AND next_at = \(row.due) AND line = \(row.line)
                """)
            // The time of one with another line may not have come yet.
            if taken > 0, row.due <= now.wholeMilliseconds { _ = try await add([job], transaction) }
            return taken > 0
        }
        // What another instance has written meanwhile is looked at again.
        return isOurs ? due - now : .zero
    }
}
