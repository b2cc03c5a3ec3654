public import FoundationEssentials
public import Roost

/// The orders in which clients may have a list: an allow-list of columns. Rows with the same value are in the order of
/// their ids, so that each has its own place.
///
///     static let order = PageOrder(\Room.id).by("name", \.name).by("seats", \.seats).standard("name")
///     // ?sort=name, ?sort=-name, ?sort=seats, ?sort=-seats
///
/// A column must be `NOT NULL`, and be in the result under its name. For each, have an index of it with the id.
public struct PageOrder<Row: Sendable>: Sendable {
    /// One column, with its value in a row.
    struct Key: Sendable {
        /// Its name, as an identifier.
        let name: SQL
        private let descending: SQL
        let cursor: @Sendable (Row) -> String
        private let read: @Sendable (String) -> SQL?

        init<Value: PageKey>(_ column: String, _ type: Value.Type, _ value: @escaping @Sendable (Row) -> Value) {
            name = "\(identifier: column)"
            descending = "\(name) DESC"
            cursor = { value($0).cursor }
            read = { Value(cursor: $0).map { "\($0)" } }
        }

        /// The value that a cursor has; nil if the list has given out no such cursor. PostgreSQL has no text with NUL.
        func value(_ cursor: String, _ dialect: SQLDialect) -> SQL? {
            guard let value = read(cursor) else { return nil }
            return dialect == .postgresql && value.bindings.contains(where: \.hasNUL) ? nil : value
        }

        /// The column for `ORDER BY`.
        func order(_ isBackwards: Bool) -> SQL { isBackwards ? descending : name }
    }

    let id: Key
    private var keys: [(name: String, key: Key)] = []
    private var standard: (name: String, isDescending: Bool)?

    /// Creates the order of ids, which are unique and have no dot.
    /// - Parameters:
    ///   - value: The id of a row: `\Room.id`.
    ///   - column: The name of its column.
    public init<Value: PageKey>(_ value: @escaping @Sendable (Row) -> Value, column: String = "id") {
        id = Key(column, Value.self, value)
    }

    /// Adds an order.
    /// - Parameters:
    ///   - name: The name by which clients ask for it.
    ///   - column: The name of the column, if it is another one.
    ///   - value: The value of the column in a row.
    public func by<Value: PageKey>(
        _ name: String, column: String? = nil, _ value: @escaping @Sendable (Row) -> Value
    ) -> PageOrder {
        var order = self
        order.keys.append((name, Key(column ?? name, Value.self, value)))
        return order
    }

    /// Sets the order for clients that ask for none, backwards with a `-` before its name; without one, it is that of
    /// the ids.
    public func standard(_ name: String) -> PageOrder {
        var order = self
        let isDescending = name.utf8.first == UInt8(ascii: "-")
        order.standard = (isDescending ? String(name.dropFirst()) : name, isDescending)
        return order
    }

    /// The column of a query's order, nil for that of the ids, and whether it is backwards.
    private func chosen(_ query: PageQuery) throws -> (key: Key?, isDescending: Bool) {
        guard let name = query.sort ?? standard?.name else { return (nil, false) }
        guard let key = keys.first(where: { $0.name == name })?.key else {
            throw query.unknownSort(among: keys.map(\.name))
        }
        return (key, query.sort == nil ? standard?.isDescending ?? false : query.isDescending)
    }

    /// The text by which a later query finds a row's place again: its id, and then the value by which it is sorted.
    @usableFromInline
    func cursor(of row: Row, in query: PageQuery) -> String {
        let key = try? chosen(query).key
        return key.map { "\(id.cursor(row)).\($0.cursor(row))" } ?? id.cursor(row)
    }

    /// The statement that reads a page, and one row more.
    /// - Throws: `HTTPError` with 400 for an unknown order, and for a cursor that no row has.
    @usableFromInline
    package func sql(_ rows: SQL, for query: PageQuery, in dialect: SQLDialect) throws -> SQL {
        let (key, isDescending) = try chosen(query)
        var isBackwards = isDescending
        let cursor: String
        switch query.start {
        case .first:
            let order = ordered(key, isBackwards)
            return "SELECT * FROM (\(rows)) AS page ORDER BY \(order) LIMIT \(query.limit + 1)"
        case .after(let text): cursor = text
        case .before(let text):
            cursor = text
            isBackwards.toggle()
        }
        let place = PageCursor(cursor)
        let direction: SQL = isBackwards ? "<" : ">"
        guard let id = id.value(place.id, dialect), (place.value != nil) == (key != nil) else {
            throw query.unknownCursor
        }
        let selected: SQL = "SELECT * FROM (\(rows)) AS page"
        let others: SQL = "\(self.id.name) \(direction) \(id)"
        let end: SQL = "ORDER BY \(ordered(key, isBackwards)) LIMIT \(query.limit + 1)"
        guard let key else { return "\(selected) WHERE \(others) \(end)" }
        guard let value = place.value.flatMap({ key.value($0, dialect) }) else { throw query.unknownCursor }
        // Rows with the same value, and rows with values beyond it: two ranges of the index, which the engine merges.
        // If it compared pairs instead, SQLite would read all rows with the same value, and a million may have it.
        return """
            \(selected) WHERE \(key.name) = \(value) AND \(others)
            UNION ALL \(selected) WHERE \(key.name) \(direction) \(value) \(end)
            """
    }

    private func ordered(_ key: Key?, _ isBackwards: Bool) -> SQL {
        let id = id.order(isBackwards)
        return key.map { "\($0.order(isBackwards)), \(id)" } ?? id
    }
}

/// A value by which a list is sorted, and which a cursor carries as text.
public protocol PageKey: SQLConvertible {
    /// Reads the text of a cursor, which a client sends; nil if it is none.
    init?(cursor: String)
    /// The text in a cursor.
    var cursor: String { get }
}

extension Int: PageKey {
    /// Reads decimal digits.
    public init?(cursor: String) { self.init(cursor) }
    /// Decimal digits.
    public var cursor: String { "\(self)" }
}

extension Double: PageKey {
    /// Reads the shortest digits.
    public init?(cursor: String) {
        guard let value = Double(cursor), value.isFinite else { return nil }
        self = value
    }
    /// The shortest digits that mean the same number.
    public var cursor: String { "\(self)" }
}

extension String: PageKey {
    /// Reads what ``cursor`` writes.
    public init?(cursor: String) {
        guard !cursor.utf8.contains(0) else { return nil }
        var (text, rest) = ([UInt8](), cursor.utf8[...])
        while let tilde = rest.firstIndex(of: Self.tilde) {
            text += rest[..<tilde]
            rest = rest[tilde...].dropFirst()
            switch rest.popFirst() {
            case Self.tilde: text.append(Self.tilde)
            case UInt8(ascii: "0"): text.append(0)
            default: return nil
            }
        }
        self = String(decoding: text + rest, as: UTF8.self)
    }
    /// The text, in which `~0` stands for NUL and `~~` for `~`: no URL has a NUL, but SQLite keeps one.
    public var cursor: String {
        guard utf8.contains(where: { $0 == 0 || $0 == Self.tilde }) else { return self }
        let bytes = utf8.flatMap { byte in
            byte == 0 ? [Self.tilde, UInt8(ascii: "0")] : byte == Self.tilde ? [byte, byte] : [byte]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static var tilde: UInt8 { UInt8(ascii: "~") }
}

extension UUID: PageKey {
    /// Reads hexadecimal digits.
    public init?(cursor: String) { self.init(uuidString: cursor) }
    /// Hexadecimal digits.
    public var cursor: String { uuidString }
}

extension Date: PageKey {
    /// Reads microseconds since 1970.
    public init?(cursor: String) {
        // From year 1 to year 9999, as the databases have them.
        guard let count = Int64(cursor), (-62_135_596_800_000_000..<253_402_300_800_000_000).contains(count) else {
            return nil
        }
        self.init(timeIntervalSince1970: Double(count) / 1_000_000)
    }
    /// Microseconds since 1970, as exact as databases keep a time.
    public var cursor: String { "\(Int64((timeIntervalSince1970 * 1_000_000).rounded()))" }
}

/// The parts of a cursor: the id of a row and, behind a dot, the value by which it is sorted. They are told apart by
/// bytes, since a value may begin with a mark that makes one character with the dot.
package struct PageCursor {
    /// The id.
    package let id: String
    /// The value; nil in a list that is sorted by ids alone.
    package let value: String?

    /// Reads a text that a client has sent.
    package init(_ text: String) {
        let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        id = String(decoding: text.utf8[..<dot], as: UTF8.self)
        value = dot == text.endIndex ? nil : String(decoding: text.utf8[dot...].dropFirst(), as: UTF8.self)
    }
}
