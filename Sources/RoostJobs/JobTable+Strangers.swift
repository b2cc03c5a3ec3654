import Roost
import RoostSQL

// What waits in the table, also what this program never takes.

extension JobTable {
    private struct Age: Decodable, Sendable {
        let queue, known: Int
        let age: Int?
    }

    /// For how long the oldest jobs of the queues have been due. A job that nobody knows would be the oldest for ever,
    /// so it does not count among those that this program knows.
    func ages(for taker: JobTaker) async throws -> JobAges {
        let sql = SQL(unchecked: taker.agesText, bindings: bindings(taker, queues: taker.queues.map { .text($0) }))
        var (known, all) = ([String: Duration](), [String: Duration]())
        for row in try await database.queryAll(sql, as: Age.self) {
            guard let age = row.age.map({ Duration.milliseconds($0) }) else { continue }
            let queue = taker.queues[row.queue]
            if row.known == 1 {
                known[queue] = max(known[queue] ?? .zero, age)
            } else {
                all[queue] = max(all[queue] ?? .zero, age)
            }
        }
        return JobAges(known: known, unknown: all.filter { $0.value > known[$0.key] ?? .zero })
    }

    /// The names of due jobs that the program does not know, a few at most; only a part of a long backlog is looked at.
    /// - Parameter ofAll: Whether those of any queue count.
    func strangers(for taker: JobTaker, ofAll: Bool = false) async throws -> [String] {
        let queues: SQL = ofAll ? "TRUE" : "queue IN \(list: taker.queues)"
        return try await database.queryAll(
            """
            SELECT DISTINCT name FROM (
                SELECT CAST(name AS TEXT) AS name FROM queued_jobs WHERE \(queues) AND due_at <= \(time) LIMIT 1000
            ) AS first_due WHERE name NOT IN \(list: taker.names) ORDER BY name LIMIT 10
            """,
            as: String.self
        )
    }

    /// The queues that this program takes no jobs from, and in which jobs that it knows have been due for a minute, as
    /// under another version of it; a few at most. All jobs are looked at.
    func strayed(from taker: JobTaker) async throws -> [String] {
        try await database.queryAll(
            """
            SELECT DISTINCT CAST(queue AS TEXT) FROM queued_jobs WHERE queue NOT IN \(list: taker.queues)
            AND name IN \(list: taker.names) AND due_at <= \(time) - 60000 LIMIT 10
            """,
            as: String.self
        )
    }
}
