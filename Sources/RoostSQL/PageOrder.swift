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
    @usableFromInline let columns: SortColumns
    /// The values of the columns in a row, as texts.
    @usableFromInline let cursors: [@Sendable (Row) -> String]

    private init(_ columns: SortColumns, _ cursors: [@Sendable (Row) -> String]) {
        (self.columns, self.cursors) = (columns, cursors)
    }

    /// Creates the order of ids, which are unique and have no dot.
    /// - Parameters:
    ///   - value: The id of a row: `\Room.id`.
    ///   - column: The name of its column.
    public init<Value: PageKey>(_ value: @escaping @Sendable (Row) -> Value, column: String = "id") {
        self.init(SortColumns(id: column, Value.self), [{ value($0).cursor }])
    }

    /// Adds an order.
    /// - Parameters:
    ///   - name: The name by which clients ask for it.
    ///   - column: The name of the column, if it is another one.
    ///   - value: The value of the column in a row.
    public func by<Value: PageKey>(
        _ name: String, column: String? = nil, _ value: @escaping @Sendable (Row) -> Value
    ) -> PageOrder {
        PageOrder(columns.adding(name, column ?? name, Value.self), cursors + [{ value($0).cursor }])
    }

    /// Sets the order for clients that ask for none, backwards with a `-` before its name; without one, it is that of
    /// the ids. If it is no name of the list, their requests fail (500).
    public func standard(_ name: String) -> PageOrder { PageOrder(columns.beginning(with: name), cursors) }

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
    private final class Column: Sendable {
        /// The name by which clients ask for it.
        let name: String
        /// Its name, as an identifier.
        let column: SQL
        /// The columns for `ORDER BY`.
        let ascending, descending: SQL
        private let read: @Sendable (String) -> SQL?

        init<Value: PageKey>(_ name: String, _ column: String, _ type: Value.Type, id: Column? = nil) {
            self.name = name
            let identifier: SQL = "\(identifier: column)"
            self.column = identifier
            ascending = id.map { "\(identifier), \($0.ascending)" } ?? identifier
            descending = id.map { "\(identifier) DESC, \($0.descending)" } ?? "\(identifier) DESC"
            read = { Value(cursor: $0).map { "\($0)" } }
        }

        /// The value that a cursor has; nil if the list has given out no such cursor. PostgreSQL has no text with NUL,
        /// and SQLite no NaN.
        func value(_ cursor: String, _ dialect: SQLDialect) -> SQL? {
            guard let value = read(cursor) else { return nil }
            return value.bindings.contains { dialect == .postgresql ? $0.hasNUL : $0.isNaN } ? nil : value
        }
    }

    private var columns: [Column]
    private var standard: String?
    private var isStandardDescending = false

    init<Value: PageKey>(id column: String, _ type: Value.Type) { columns = [Column("", column, type)] }

    /// The columns with one more.
    func adding<Value: PageKey>(_ name: String, _ column: String, _ type: Value.Type) -> SortColumns {
        var copy = self
        copy.columns.append(Column(name, column, type, id: columns[0]))
        return copy
    }

    /// The columns with the order for clients that ask for none, backwards with a `-` before its name.
    func beginning(with name: String) -> SortColumns {
        var copy = self
        copy.isStandardDescending = name.utf8.first == UInt8(ascii: "-")
        copy.standard = copy.isStandardDescending ? String(name.dropFirst()) : name
        return copy
    }

    /// The place of the column that a query is sorted by; nil for the id.
    @usableFromInline
    func place(in query: PageQuery) -> Int? {
        guard let name = query.sort ?? standard else { return nil }
        return columns.dropFirst().firstIndex { $0.name == name }
    }

    /// The statement that reads a page, and one row more. It is not generic, so that no request looks up types.
    @usableFromInline
    func sql(_ rows: SQL, for query: PageQuery, in dialect: SQLDialect) throws -> SQL {
        let place = place(in: query)
        if place == nil, query.sort != nil { throw query.unknownSort(among: columns.dropFirst().map(\.name)) }
        if place == nil, let standard { throw UnknownStandardOrder(name: standard) }
        let column = columns[place ?? 0]
        var isBackwards = query.sort == nil ? isStandardDescending : query.isDescending
        let text: String
        switch query.start {
        case .first:
            let order = isBackwards ? column.descending : column.ascending
            return "SELECT * FROM (\(rows)) AS page ORDER BY \(order) LIMIT \(query.limit + 1)"
        case .after(let cursor): text = cursor
        case .before(let cursor):
            text = cursor
            isBackwards.toggle()
        }
        let cursor = PageCursor(text)
        let direction: SQL = isBackwards ? "<" : ">"
        guard let id = columns[0].value(cursor.id, dialect), (cursor.value != nil) == (place != nil) else {
            throw query.unknownCursor
        }
        let selected: SQL = "SELECT * FROM (\(rows)) AS page"
        let others: SQL = "\(columns[0].column) \(direction) \(id)"
        let order = isBackwards ? column.descending : column.ascending
        let end: SQL = "ORDER BY \(order) LIMIT \(query.limit + 1)"
        guard place != nil else { return "\(selected) WHERE \(others) \(end)" }
        guard let value = cursor.value.flatMap({ column.value($0, dialect) }) else { throw query.unknownCursor }
        // Rows with the same value, and rows with values beyond it: two ranges of the index, which the engine merges.
        // If it compared pairs instead, SQLite would read all rows with the same value, and a million may have it.
        return """
            \(selected) WHERE \(column.column) = \(value) AND \(others)
            UNION ALL \(selected) WHERE \(column.column) \(direction) \(value) \(end)
            """
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
    /// Reads the text of a cursor, which a client sends; nil if it is none.
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
    /// Reads what ``cursor`` writes. All that are not a number are one value in an order.
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
