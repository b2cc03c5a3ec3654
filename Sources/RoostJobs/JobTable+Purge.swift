import Roost
import RoostSQL

// What is of no use any more.

extension JobTable {
    /// Deletes what is of no use any more: dead jobs after a time, and keys whose time is over; a thousand at a time,
    /// so that nobody waits for long.
    /// - Parameter tell: Gets the names of each thousand jobs that have been deleted.
    func purge(_ age: Duration, _ tell: ([String]) -> Void = { _ in }) async throws {
        let removal = database.removal(
            of: 1000, from: "queued_jobs", by: "id",
            where: "due_at IS NULL AND failed_at < \(time) - \(age.wholeMilliseconds) ORDER BY failed_at")
        var names: [String]
        repeat {
            names = try await database.change("\(removal) RETURNING CAST(name AS TEXT)", as: String.self)
            if !names.isEmpty { tell(names) }
        } while names.count == 1000
        // No index tells whose time is over, so all keys are looked at, in the order of the primary key.
        var start = ""
        while let end = try await keyEnd(after: start) {
            try await database.execute(
                database.removal(
                    of: 1000, from: "job_keys", by: "key",
                    where: "key > \(start) AND key <= \(end) AND held_until <= \(time) ORDER BY key"))
            start = end
        }
    }

    /// The last of the thousand keys after a key; nil when there is none.
    private func keyEnd(after start: String) async throws -> String? {
        let sql: SQL = """
            SELECT max(key) FROM (SELECT key FROM job_keys WHERE key > \(start) ORDER BY key LIMIT 1000) AS portion
            """
        return try await database.first(sql, as: String?.self).flatMap { $0 }
    }
}
