import Roost

/// The prepared statements of a connection, by their text. The one that has gone unused for longest is evicted first.
struct StatementCache {
    private var statements: [ExactText: SQLiteStatement] = [:]
    private let capacity: Int
    private var uses = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { statements.count }

    mutating func statement(
        _ text: String,
        prepare: () throws -> SQLiteStatement
    ) throws -> SQLiteStatement {
        uses &+= 1
        let key = ExactText(text)
        if let statement = statements[key] {
            statement.lastUse = uses
            return statement
        }
        let statement = try prepare()
        if statements.count >= capacity, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            statements[oldest.key] = nil
        }
        statement.lastUse = uses
        statements[key] = statement
        return statement
    }

    mutating func removeAll() { statements.removeAll() }
}
