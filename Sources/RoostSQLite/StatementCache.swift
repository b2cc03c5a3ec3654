import Roost

/// The prepared statements of a connection, by their text. The one that has gone unused for longest is evicted first.
struct StatementCache {
    private var statements: [ExactText: SQLiteStatement] = [:]
    private let capacity: Int
    private var uses = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { statements.count }

    mutating func find(_ text: String) -> SQLiteStatement? {
        guard let statement = statements[ExactText(text)] else { return nil }
        uses &+= 1
        statement.lastUse = uses
        return statement
    }

    mutating func insert(_ statement: SQLiteStatement) {
        if statements.count >= capacity, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            remove(oldest.value)
        }
        uses &+= 1
        statement.lastUse = uses
        statements[statement.text] = statement
    }

    mutating func remove(_ statement: SQLiteStatement) { statements[statement.text] = nil }

    mutating func removeAll() { statements = [:] }
}
