import Roost

/// The prepared statements of a connection, by their text. The one that has gone unused for longest is evicted first.
struct StatementCache {
    /// The statements, the one that was used last first: so the few that are used all the time are found at once. Their
    /// texts lie beside them, and most differ in length, so a search through all of them is short, too.
    private var entries: [(text: ExactText, statement: SQLiteStatement)] = []
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(1, capacity) }

    mutating func find(_ text: String) -> SQLiteStatement? {
        let text = ExactText(text)
        guard let index = entries.indices.first(where: { entries[$0].text == text }) else { return nil }
        if index > 0 { entries.insert(entries.remove(at: index), at: 0) }
        return entries[0].statement
    }

    mutating func insert(_ statement: SQLiteStatement) {
        if entries.count >= capacity { entries.removeLast() }
        entries.insert((statement.text, statement), at: 0)
    }

    mutating func remove(_ statement: SQLiteStatement) { entries.removeAll { $0.statement === statement } }

    mutating func removeAll() { entries = [] }
}
