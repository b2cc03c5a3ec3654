import Roost

// Other programs may write any number into the topic's tables, and with SQLite any value.

extension SQLTopic {
    /// The greatest id that an event may have, long after the clock's: one more is still a number.
    static var greatestID: Int { Int.max / 2 }

    /// A condition that a column is an id.
    func isID(_ column: StaticString) -> SQL {
        let isInteger: SQL = database.dialect == .sqlite ? " AND typeof(\(literal: column)) = 'integer'" : ""
        return "(\(literal: column) BETWEEN 0 AND \(Self.greatestID)\(isInteger))"
    }

    /// The last id that has been committed; nil if there is none.
    func lastID() async throws -> Int? {
        let id = try await database.first("SELECT last_id FROM topics WHERE name = \(name)", as: Int.self)
        guard let id, !(0...Self.greatestID).contains(id) else { return id }
        throw DatabaseError.statement(code: "", message: "The topic \(name) has \(id) as last_id in the table topics.")
    }

    /// Repairs what is no id, with a warning: the topic could not go on from there.
    func repair() async throws {
        let removal: SQL = "DELETE FROM topic_events WHERE topic = \(name) AND NOT \(isID("id"))"
        for id in try await database.change("\(removal) RETURNING CAST(id AS TEXT)", as: String.self) {
            logger.warning("topic_events had \(id) as the id of an event of the topic \(name): it has been deleted.")
        }
        let count = try await database.execute(
            """
            UPDATE topics SET last_id = coalesce(
                (SELECT max(id) FROM topic_events WHERE topic = \(name)), \(Topic<Event>.idFromClock))
            WHERE name = \(name) AND NOT \(isID("last_id"))
            """)
        guard count > 0 else { return }
        logger.warning("topics had a last_id of the topic \(name) that is no id: it has been set anew.")
    }
}
