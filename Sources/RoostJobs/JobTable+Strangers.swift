import RoostSQL

// What waits in the table, and is never taken by this program.

extension JobTable {
    /// The names of due jobs that the program does not know, a few at most; only a part of a long backlog is looked at.
    func strangers(for taker: JobTaker) async throws -> [String] {
        try await database.queryAll(
            """
            SELECT DISTINCT name FROM (
                SELECT name FROM queued_jobs WHERE queue IN \(list: taker.queues) AND due_at <= \(time) LIMIT 1000
            ) AS first_due WHERE name NOT IN \(list: taker.names) LIMIT 10
            """,
            as: String.self
        )
    }

    /// The queues that this program takes no jobs from, and in which jobs that it knows have been due for a minute, as
    /// under another version of it; a few at most. All jobs are looked at.
    func strayed(from taker: JobTaker) async throws -> [String] {
        try await database.queryAll(
            """
            SELECT DISTINCT queue FROM queued_jobs WHERE queue NOT IN \(list: taker.queues)
            AND name IN \(list: taker.names) AND due_at <= \(time) - 60000 LIMIT 10
            """,
            as: String.self
        )
    }
}
