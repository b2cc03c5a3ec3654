import RoostSQL

/// The jobs that an instance takes, and the statements for that. Their values are `$1` the time, the names, the
/// queues; then the holder, the lease, the room in each queue, and what is done.
struct JobTaker: Sendable {
    /// A number that no other instance has.
    let holder = Int.random(in: 1...(.max))
    let lease: Duration
    let names, queues: [String]
    private(set) var text = "", dueText = "", agesText = ""

    init(_ table: JobTable, names: [String], queues: [String], lease: Duration) {
        (self.names, self.queues, self.lease) = (names, queues, lease)
        text = table.isSQLite ? sqlite : postgresql(table.timeText)
        let ranges = queues.indices.flatMap { queue in
            conditions(queue).map { "SELECT min(due_at) AS due_at FROM queued_jobs WHERE \($0)" }
        }
        let all = ranges.joined(separator: " UNION ALL ")
        let rest = JobTable.rest(after: SQL(unchecked: table.timeText)).text
        dueText = "SELECT \(rest) FROM (SELECT min(due_at) AS due_at FROM (\(all)) AS ranges) AS oldest"
        agesText = ages(table.timeText)
    }

    private var holderNumber: Int { 2 + names.count + queues.count }

    /// The conditions for the jobs of a queue by their priority, unless the queue is paused.
    /// - Parameter isKnown: Whether only those count that this program knows.
    private func conditions(_ queue: Int, isKnown: Bool = true) -> [String] {
        let list = names.indices.map { "$\(2 + $0)" }.joined(separator: ", ")
        let known = isKnown ? "AND name IN (\(list)) " : ""
        let queue = "$\(2 + names.count + queue)"
        return JobPriority.allCases.map { priority in
            // In SQLite's index, dead jobs come first, and would all be stepped over.
            "queue = \(queue) AND priority = \(priority.rawValue) AND due_at IS NOT NULL \(known)"
                + "AND NOT EXISTS (SELECT 1 FROM paused_queues WHERE paused_queues.queue = \(queue))"
        }
    }

    /// The ages of the oldest job of each range, of those that this program knows and of all.
    private func ages(_ time: String) -> String {
        let rest = JobTable.rest(after: SQL(unchecked: time)).text
        let parts = queues.indices.flatMap { queue in
            [true, false].flatMap { isKnown in
                conditions(queue, isKnown: isKnown).map { condition in
                    "SELECT \(queue) AS queue, \(isKnown ? 1 : 0) AS known, -\(rest) AS age "
                        + "FROM (SELECT min(due_at) AS due_at FROM queued_jobs WHERE \(condition)) AS oldest"
                }
            }
        }
        return parts.joined(separator: " UNION ALL ")
    }

    /// The ids of the next jobs. Each priority of each queue is a range of the index, which is looked at only while
    /// there is room left.
    private func next(_ time: String, lock: String = "") -> String {
        queues.indices.map { queue in
            let room = "$\(holderNumber + 2 + queue)"
            let ranges = conditions(queue).map { condition in
                """
                SELECT id FROM (SELECT id FROM queued_jobs WHERE \(condition) AND due_at <= \(time)
                    ORDER BY due_at, id LIMIT \(room)\(lock)) AS one_range
                """
            }
            return "SELECT id FROM (\(ranges.joined(separator: " UNION ALL ")) LIMIT \(room)) AS one_queue"
        }.joined(separator: " UNION ALL ")
    }

    /// - Parameter step: How many tries a claim adds. PostgreSQL's column has no room beyond its greatest number.
    private func update(_ time: String, step: String = "1") -> String {
        "UPDATE queued_jobs SET holder = $\(holderNumber), attempt = attempt + \(step), "
            + "due_at = \(time) + $\(holderNumber + 1)"
    }

    private static func result(
        _ payload: String, priority: String = "priority", attempt: String = "attempt", error: String = "error"
    ) -> String {
        "RETURNING queued_jobs.id, name, queue, \(priority) AS priority, \(payload) AS payload, "
            + "\(attempt) AS attempt, \(error) AS error"
    }

    /// Other programs may write values of other types there. One that could not be read would keep all jobs of its
    /// statement from being taken.
    private var sqlite: String {
        let result = Self.result(
            "CAST(payload AS TEXT)", priority: "CAST(priority AS INTEGER)", attempt: "CAST(attempt AS INTEGER)",
            error: "CAST(error AS TEXT)")
        return "\(update("$1")) WHERE id IN (\(next("$1"))) \(result)"
    }

    /// The most bytes of a payload that comes with its job: the size of a result of PostgreSQL is limited
    /// (`maximumResultSize`), and the jobs of all places come in one. The run asks for a larger payload by itself.
    private static let largestPayload = 64 << 10

    private func postgresql(_ time: String) -> String {
        let done = "$\(holderNumber + 2 + queues.count)"
        let payload = "CASE WHEN octet_length(payload) <= \(Self.largestPayload) THEN payload END"
        return """
            WITH done AS (
                DELETE FROM queued_jobs WHERE id = ANY(CAST(\(done) AS BIGINT[])) AND holder = $\(holderNumber)
            ), next AS MATERIALIZED (\(next(time, lock: " FOR UPDATE OF queued_jobs SKIP LOCKED")))
            \(update(time, step: "1 * CAST(attempt < 2147483647 AS INTEGER)")) FROM next WHERE queued_jobs.id = next.id
                AND NOT (queued_jobs.id = ANY(CAST(\(done) AS BIGINT[]))
                    AND queued_jobs.holder IS NOT DISTINCT FROM $\(holderNumber)) \(Self.result(payload))
            """
    }
}

/// A job that an instance has taken.
struct ClaimedJob: Decodable, Sendable {
    let id: Int
    let name, queue: String
    /// Its rank: less comes first.
    let priority: Int
    /// Nil if it is too large to come with others.
    let payload: String?
    let attempt: Int
    /// The error of its last try; nil before one has failed.
    let error: String?
}
