import Roost

/// The prepared statements of a connection, by their text. The one that has gone unused for longest is evicted first.
struct StatementCache {
    private var statements: [ExactText: SQLiteStatement] = [:]
    /// The latest of some lengths: a site runs few different statements, and to compare texts costs less than to hash.
    private var latest: [SQLiteStatement?] = Array(repeating: nil, count: Self.latestCount)
    private let capacity: Int
    private var uses = 0

    private static let latestCount = 64

    init(capacity: Int) { self.capacity = max(1, capacity) }

    var count: Int { statements.count }

    mutating func statement(
        _ text: String,
        prepare: () throws -> SQLiteStatement
    ) throws -> SQLiteStatement {
        uses &+= 1
        let key = ExactText(text)
        let place = text.utf8.count % Self.latestCount
        if let statement = latest[place], statement.text == key {
            statement.lastUse = uses
            return statement
        }
        let statement = try statements[key] ?? prepared(key, prepare)
        statement.lastUse = uses
        latest[place] = statement
        return statement
    }

    private mutating func prepared(
        _ key: ExactText, _ prepare: () throws -> SQLiteStatement
    ) throws -> SQLiteStatement {
        let statement = try prepare()
        if statements.count >= capacity, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            remove(oldest.value)
        }
        statements[key] = statement
        return statement
    }

    mutating func remove(_ statement: SQLiteStatement) {
        statements[statement.text] = nil
        for place in latest.indices where latest[place] === statement { latest[place] = nil }
    }

    mutating func removeAll() { self = StatementCache(capacity: capacity) }
}
