import Roost

// The topic's tables. `topics` has the last id of each topic, and `topic_events` the last events.

/// A row of `topic_events`.
private struct TopicEvent: SQLReadable {
    let id: Int
    let payload: String

    init(reading columns: inout SQLColumns) throws {
        id = try columns.read("id")
        payload = try columns.read("payload")
    }
}

extension SQLTopic {
    /// The number of events by which the table may exceed its history: so many are deleted at a time.
    private static var slack: Int { 100 }

    /// The largest payload that goes with a notification; PostgreSQL allows 7,999 bytes, id included.
    private static var maximumNotice: Int { 7900 }

    /// Adds an event, and returns its id.
    func insert(_ payload: String, _ transaction: Transaction) async throws -> Int {
        let id = try await number(transaction)
        try await transaction.execute(
            "INSERT INTO topic_events (topic, id, payload) VALUES (\(name), \(id), \(payload))")
        if id.isMultiple(of: Self.slack) {
            try await transaction.execute("DELETE FROM topic_events WHERE topic = \(name) AND id <= \(id - history)")
        }
        if database.dialect == .postgresql {
            let notice = payload.utf8.count > Self.maximumNotice ? "\(id)" : "\(id) \(payload)"
            try await transaction.execute("SELECT pg_notify(\(name), \(notice))")
        }
        return id
    }

    /// The next id. Until the transaction ends, nobody else gets one. The first one is taken from the clock, so that
    /// ids of a database that is gone are not taken for those of another.
    private func number(_ transaction: Transaction) async throws -> Int {
        let id = try await transaction.first(
            """
            INSERT INTO topics (name, last_id) VALUES (\(name), \(Topic<Event>.idFromClock))
            ON CONFLICT (name) DO UPDATE SET last_id = topics.last_id + 1 RETURNING last_id
            """,
            as: Int.self
        )
        guard let id else { throw DatabaseError.statement(code: "", message: "The topic \(name) has no next id.") }
        return id
    }

    /// Reads the events that are not known here, and publishes them.
    func readNew() async throws {
        if !isPlaceCertain { try await findPlace() }
        while true {
            let rows = try await database.query(
                """
                SELECT id, payload FROM topic_events WHERE topic = \(name) AND id > \(events.lastID)
                ORDER BY id LIMIT \(history)
                """,
                as: TopicEvent.self
            )
            events.publish(rows.map { KeptEvent(id: $0.id, text: $0.payload, decode: decode) })
            if rows.count < history { return }
        }
    }

    /// Begins where the table begins, if this is the start, or if the database is not the one that it was.
    private func findPlace() async throws {
        try await database.execute(
            "INSERT INTO topics (name, last_id) VALUES (\(name), \(Topic<Event>.idFromClock)) ON CONFLICT DO NOTHING")
        let last = try await database.first("SELECT last_id FROM topics WHERE name = \(name)", as: Int.self) ?? 0
        if events.lastID == 0 || last < events.lastID {
            let first = try await database.first(
                "SELECT min(id) FROM topic_events WHERE topic = \(name)", as: Int?.self)
            events.restart(after: first.flatMap { $0 }.map { $0 - 1 } ?? last)
        }
        isPlaceCertain = true
    }
}
