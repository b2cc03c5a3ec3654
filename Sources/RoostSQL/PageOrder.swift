public import FoundationEssentials
public import Roost

/// The orders that clients may choose for a list: an allow-list of columns. Rows with the same value are ordered by id,
/// so that each has a definite place.
///
///     static let order = PageOrder(\Room.id).by("name", \.name).by("seats", \.seats).standard("name")
///     // ?sort=name, ?sort=-name, ?sort=seats, ?sort=-seats
///
/// Each column must be `NOT NULL` and appear in the result under its name. Create an index on each with the id.
public struct PageOrder<Row: Sendable>: Sendable {
    @usableFromInline private(set) var columns: SortColumns
    /// The values of the columns in a row, as texts.
    @usableFromInline private(set) var cursors: [@Sendable (Row) -> String]

    /// Creates an order by id. Ids must be unique and contain no dot.
    /// - Parameters:
    ///   - value: The id of a row: `\Room.id`.
    ///   - column: The name of its column.
    public init<Value: PageKey>(_ value: @escaping @Sendable (Row) -> Value, column: String = "id") {
        (columns, cursors) = (SortColumns(list: [.init("", column, Value.self)]), [{ value($0).cursor }])
    }

    /// Adds an order.
    /// - Parameters:
    ///   - name: The name by which clients ask for it.
    ///   - column: The name of the column, if it differs from `name`.
    ///   - value: The value of the column in a row.
    public func by<Value: PageKey>(
        _ name: String, column: String? = nil, _ value: @escaping @Sendable (Row) -> Value
    ) -> PageOrder {
        var copy = self
        copy.columns.list.append(.init(name, column ?? name, Value.self, id: columns.list[0]))
        copy.cursors.append { value($0).cursor }
        return copy
    }

    /// Sets the order for clients that choose none, descending with a `-` before its name; by default, it is the order
    /// of ids. If no order has this name, those clients' requests fail (500).
    public func standard(_ name: String) -> PageOrder {
        var copy = self
        copy.columns.isStandardDescending = name.utf8.first == UInt8(ascii: "-")
        copy.columns.standard = copy.columns.isStandardDescending ? String(name.dropFirst()) : name
        return copy
    }

    /// The text by which a later query finds a row's place again: its id, and then the value by which it is sorted.
    @inlinable
    func cursor(of row: Row, in query: PageQuery) -> String {
        guard let place = columns.place(in: query) else { return cursors[0](row) }
        return "\(cursors[0](row)).\(cursors[place](row))"
    }

    /// The statement that reads a page, and one row more.
    /// - Throws: `HTTPError` with 400 for an unknown order, and for a cursor that no row has.
    @inlinable
    package func sql(_ rows: SQL, for query: PageQuery, in dialect: SQLDialect) throws -> SQL {
        try columns.sql(rows, for: query, in: dialect)
    }
}

/// The columns by which a list may be sorted, whatever its rows are: the id, and then the others.
@usableFromInline
struct SortColumns: Sendable {
    fileprivate final class Column: Sendable {
        /// The name by which clients ask for it.
        let name: String
        /// Its name, as an identifier.
        let column: SQL
        /// The end of a statement that reads rows in this order, up to their number.
        let ascending, descending: SQL
        private let read: @Sendable (String) -> SQL?

        init<Value: PageKey>(_ name: String, _ column: String, _ type: Value.Type, id: Column? = nil) {
            self.name = name
            let identifier: SQL = "\(identifier: column)"
            self.column = identifier
            let last: (ascending: SQL, descending: SQL) =
                id.map { (", \($0.column)", ", \($0.column) DESC") } ?? ("", "")
            ascending = "ORDER BY \(identifier)\(last.ascending) LIMIT "
            descending = "ORDER BY \(identifier) DESC\(last.descending) LIMIT "
            read = { Value(cursor: $0).map { "\($0)" } }
        }

        /// The value that a cursor has; nil if the list has given out no such cursor. PostgreSQL has no text with NUL,
        /// and SQLite no NaN.
        func value(_ cursor: String, _ dialect: SQLDialect) -> SQL? {
            guard let value = read(cursor) else { return nil }
            return value.bindings.contains { dialect == .postgresql ? $0.hasNUL : $0.isNaN } ? nil : value
        }
    }

    fileprivate var list: [Column]
    fileprivate var standard: String?
    fileprivate var isStandardDescending = false

    /// The place of the column that a query is sorted by; nil for the id.
    @usableFromInline
    func place(in query: PageQuery) -> Int? {
        guard let name = query.sort ?? standard else { return nil }
        return list.dropFirst().firstIndex { $0.name == name }
    }

    /// The statement that reads a page, and one row more. It is not generic, so that no request looks up types.
    @usableFromInline
    func sql(_ rows: SQL, for query: PageQuery, in dialect: SQLDialect) throws -> SQL {
        let place = place(in: query)
        if place == nil, query.sort != nil { throw query.unknownSort(among: list.dropFirst().map(\.name)) }
        if place == nil, let standard { throw UnknownStandardOrder(name: standard) }
        let column = list[place ?? 0]
        var isBackwards = query.sort == nil ? isStandardDescending : query.isDescending
        let text: String
        switch query.start {
        case .first:
            let order = isBackwards ? column.descending : column.ascending
            return "SELECT * FROM (\(rows)) AS page \(order)\(query.limit + 1)"
        case .after(let cursor): text = cursor
        case .before(let cursor):
            text = cursor
            isBackwards.toggle()
        }
        let cursor = PageCursor(text)
        let direction: SQL = isBackwards ? "<" : ">"
        guard let id = list[0].value(cursor.id, dialect), (cursor.value != nil) == (place != nil) else {
            throw query.unknownCursor
        }
        let selected: SQL = "SELECT * FROM (\(rows)) AS page"
        let others = Self.beyond("\(list[0].column) \(direction) \(id)", dialect)
        let order = isBackwards ? column.descending : column.ascending
        let end: SQL = "\(order)\(query.limit + 1)"
        guard place != nil else { return "\(selected) WHERE \(others) \(end)" }
        guard let value = cursor.value.flatMap({ column.value($0, dialect) }) else { throw query.unknownCursor }
        // Rows with the same value, and rows with values beyond it: two ranges of the index, which the engine merges.
        // If it compared pairs instead, SQLite would read all rows with the same value, and a million may have it.
        let same: SQL = "\(selected) WHERE \(column.column) = \(value) AND \(others)"
        let beyond: SQL = "\(selected) WHERE \(Self.beyond("\(column.column) \(direction) \(value)", dialect))"
        guard dialect == .postgresql else { return "\(same) UNION ALL \(beyond) \(end)" }
        // PostgreSQL merges only what is in order and ends: otherwise it would read all of both ranges, and sort them.
        return """
            SELECT * FROM (\(same) \(end)) AS same UNION ALL SELECT * FROM (\(beyond) \(end)) AS beyond \(end)
            """
    }

    /// The condition for what is beyond a cursor. A filter may bound the same column, and of two bounds at one end,
    /// SQLite takes the first: it would read all rows between the filter's and the cursor's. A twentieth is less than
    /// it expects of a filter with two bounds, but leaves it the index of a filter of another column.
    private static func beyond(_ condition: SQL, _ dialect: SQLDialect) -> SQL {
        dialect == .sqlite ? "likelihood(\(condition), 0.05)" : condition
    }
}

extension SQLValue {
    fileprivate var isNaN: Bool { if case .real(let number) = self { number.isNaN } else { false } }
}

/// The error of a list whose standard order is none of its orders: a mistake of the application, not of a client.
private struct UnknownStandardOrder: Error, CustomStringConvertible {
    let name: String

    var description: String {
        "PageOrder.standard(\"\(name)\") names an order that the list does not have: correct it, or add it with .by."
    }
}

/// A value by which a list is sorted, and which a cursor carries as text.
public protocol PageKey: SQLConvertible {
    /// Reads a value from the text of a cursor that a client sent; nil if the text is malformed.
    init?(cursor: String)
    /// The text in a cursor.
    var cursor: String { get }
}

extension PageKey where Self: LosslessStringConvertible {
    /// Reads the value's description.
    public init?(cursor: String) { self.init(cursor) }
    /// The value's description.
    public var cursor: String { description }
}

extension Int: PageKey {}
extension LocalDate: PageKey {}
extension LocalDateTime: PageKey {}

extension Double: PageKey {
    /// Reads what ``cursor`` writes. All NaNs count as one value in an order.
    public init?(cursor: String) {
        guard let value = Double(cursor) else { return nil }
        self = value.isNaN ? .nan : value
    }
    /// The shortest digits that mean the same number; `inf`, `-inf` or `nan` for what has no digits.
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
