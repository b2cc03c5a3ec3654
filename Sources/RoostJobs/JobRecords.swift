package import Roost
package import RoostSQL

/// A job as those who run the program see it.
package struct JobRecord: Codable, Sendable {
    package let id: Int
    package let name, queue, state: String
    package let attempt: Int
    /// The milliseconds until it is due.
    package let due: Int?
    package let error: String?
}

/// The jobs in the table, for those who run the program.
package struct JobRecords: Sendable {
    private let table: JobTable
    private var database: Database { table.database }

    package init(_ database: Database) { table = JobTable(database) }

    /// The state of a row. What an instance held that has ended without a word waits, once its lease is over.
    private var selection: SQL {
        "CASE WHEN due_at IS NULL THEN 'dead' WHEN \(isIdle) THEN 'waiting' ELSE 'running' END"
    }

    private var isIdle: SQL { "(holder IS NULL OR due_at <= \(table.time))" }

    /// The jobs of a state, or all, those that are due first before the others; at most `limit`.
    package func list(_ state: String?, limit: Int) async throws -> [JobRecord] {
        try await database.queryAll(listing(state, limit: limit), as: JobRecord.self)
    }

    /// The statement of ``list(_:limit:)``. Other programs may write values of other types into SQLite's table: such a
    /// job is listed, too, so that it can be discarded. What is sorted comes from an index, where the state does not
    /// matter: only the jobs that are listed are read from the table.
    func listing(_ state: String?, limit: Int) -> SQL {
        let condition: SQL = state.map { "WHERE \(selection) = \($0)" } ?? ""
        let order: SQL = "ORDER BY due_at IS NULL DESC, due_at, id"
        return """
            SELECT id, CAST(name AS TEXT) AS name, CAST(queue AS TEXT) AS queue, \(selection) AS state,
                CAST(attempt AS BIGINT) AS attempt, \(JobTable.rest(after: table.time)) AS due,
                CAST(error AS TEXT) AS error
            FROM queued_jobs WHERE id IN (SELECT id FROM queued_jobs \(condition) \(order) LIMIT \(limit)) \(order)
            """
    }

    /// Lets jobs be due now, dead ones with all their tries; without numbers, all dead ones. Returns how many there
    /// were.
    package func retry(_ ids: [Int]) async throws -> Int {
        let count = try await change(
            ids,
            """
            UPDATE queued_jobs SET attempt = CASE WHEN due_at IS NULL THEN 0 ELSE attempt END, due_at = \(table.time),
                holder = NULL
            """)
        try await table.notify()
        return count
    }

    /// Deletes jobs that do not run; all dead ones without numbers. Returns how many there were.
    package func discard(_ ids: [Int]) async throws -> Int { try await change(ids, "DELETE FROM queued_jobs") }

    /// Changes jobs that do not run. Without numbers, it changes as many as are dead at the beginning, those that
    /// failed first before the others: jobs that die again meanwhile do not keep it going. It changes a thousand at a
    /// time, so that nobody waits for long.
    private func change(_ ids: [Int], _ statement: SQL) async throws -> Int {
        guard ids.isEmpty else {
            return try await database.execute("\(statement) WHERE \(isIdle) AND id IN \(list: ids)")
        }
        let dead = try await database.first("SELECT count(*) FROM queued_jobs WHERE due_at IS NULL", as: Int.self) ?? 0
        var count = 0
        while count < dead {
            let limit = min(1000, dead - count)
            let portion = database.portion(
                of: limit, from: "queued_jobs", by: "id", where: "\(isIdle) AND due_at IS NULL ORDER BY failed_at")
            let changed = try await database.execute("\(statement) WHERE \(portion)")
            count += changed
            if changed < limit { break }
        }
        return count
    }

    /// Lets no instance take jobs of a queue; what runs goes on.
    package func pause(_ queue: String) async throws {
        try await database.execute(
            "INSERT INTO paused_queues (queue, paused_at) VALUES (\(queue), \(table.time)) ON CONFLICT DO NOTHING")
    }

    /// Lets instances take jobs of a queue again; false if it was not paused.
    package func resume(_ queue: String) async throws -> Bool {
        let count = try await database.execute("DELETE FROM paused_queues WHERE queue = \(queue)")
        try await table.notify()
        return count > 0
    }

    /// The queues that are paused.
    package func paused() async throws -> [String] {
        try await database.queryAll("SELECT queue FROM paused_queues ORDER BY queue", as: String.self)
    }
}

/// The page of jobs in the window of development.
extension Jobs: WindowPart {
    /// `Jobs`.
    package var windowTitle: String { "Jobs" }

    /// The jobs in the table, without their payloads: dead ones first, then those that are due first.
    package func windowRows() async throws -> [WindowPartRow] {
        try await JobRecords(database).list(nil, limit: 200).map { job in
            let due = job.due.map { $0 <= 0 ? "due" : "due in \($0 / 1000) s" } ?? "not due"
            return WindowPartRow(
                "\(job.id) \(job.name)", "\(job.queue), \(job.state), \(due), try \(job.attempt)", warning: job.error)
        }
    }
}
