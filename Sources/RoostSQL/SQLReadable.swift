/// A row that reads its columns itself, some three times as fast as a synthesized `Decodable`. It pays for rows that
/// are read often, or many at a time.
///
///     struct Article: SQLReadable {
///         let id: Int
///         let title: String
///         let subtitle: String?
///
///         init(reading columns: inout SQLColumns) throws {
///             id = try columns.read("id")
///             title = try columns.read("title")
///             subtitle = try columns.readIfPresent("subtitle")
///         }
///     }
///
/// A ``Transaction``, ``Database/stream(_:as:)`` and any query that another thread or a connection of its own has to
/// run decode it like any other `Decodable`, so both ways must give the same.
public protocol SQLReadable: Decodable, Sendable {
    /// Reads the columns of a row; fastest in the order of the statement.
    /// - Throws: ``DatabaseError/column(_:reason:)`` for a column that is missing or of another type.
    init(reading columns: inout SQLColumns) throws
}

/// The columns of a row, for a type that reads them itself (``SQLReadable``).
public struct SQLColumns {
    private let row: any SQLRow
    private let names: [String]
    private let naming: ColumnNaming
    /// The column that is probably read next.
    private var next = 0

    /// Begins at the first column of a row. A driver usually reads all of a statement's rows by one object.
    mutating func begin(_ row: any SQLRow) {
        if row !== self.row { self = SQLColumns(row, naming) }
        next = 0
    }

    init(_ row: any SQLRow, _ naming: ColumnNaming) {
        self.row = row
        self.naming = naming
        names = row.columnNames
    }

    /// Decodes a type by the names of the columns, or from the first column if it is one value.
    @usableFromInline
    func decode<Row: Decodable>(_ type: Row.Type) throws -> Row { try RowDecoder.decode(type, from: row, naming) }

    /// Reads a whole number. All these throw ``DatabaseError/column(_:reason:)`` when the column is missing, or its
    /// value is of another type.
    public mutating func read(_ name: String) throws -> Int {
        let place = try place(name)
        // What does not fit gets its error from the decoder.
        return try row.integer(place).flatMap { Int(exactly: $0) } ?? column(place).decode(Int.self)
    }

    /// Reads a whole number, or `NULL`.
    public mutating func readIfPresent(_ name: String) throws -> Int? {
        let place = try place(name)
        if let value = row.integer(place).flatMap({ Int(exactly: $0) }) { return value }
        return try row.isNull(place) ? nil : column(place).decode(Int.self)
    }

    /// Reads a text.
    public mutating func read(_ name: String) throws -> String {
        let place = try place(name)
        return try row.text(place) ?? column(place).decode(String.self)
    }

    /// Reads a text, or `NULL`.
    public mutating func readIfPresent(_ name: String) throws -> String? {
        let place = try place(name)
        if let value = row.text(place) { return value }
        return try row.isNull(place) ? nil : column(place).decode(String.self)
    }

    /// Reads a floating-point number.
    public mutating func read(_ name: String) throws -> Double {
        let place = try place(name)
        return try row.real(place) ?? column(place).decode(Double.self)
    }

    /// Reads a floating-point number, or `NULL`.
    public mutating func readIfPresent(_ name: String) throws -> Double? {
        let place = try place(name)
        if let value = row.real(place) { return value }
        return try row.isNull(place) ? nil : column(place).decode(Double.self)
    }

    /// Reads a Boolean.
    public mutating func read(_ name: String) throws -> Bool {
        let place = try place(name)
        return try row.bool(place) ?? column(place).decode(Bool.self)
    }

    /// Reads a Boolean, or `NULL`.
    public mutating func readIfPresent(_ name: String) throws -> Bool? {
        let place = try place(name)
        if let value = row.bool(place) { return value }
        return try row.isNull(place) ? nil : column(place).decode(Bool.self)
    }

    /// Reads a value of any other type that a column can hold: a date, a UUID, bytes, an enumeration; or a struct from
    /// the columns whose names begin with its own and a dot.
    public mutating func read<Value: Decodable>(_ name: String) throws -> Value {
        if let part = part(name) { return try RowDecoder.decode(Value.self, from: part, naming) }
        return try column(place(name)).decode(Value.self)
    }

    /// Reads such a value, or `NULL`.
    public mutating func readIfPresent<Value: Decodable>(_ name: String) throws -> Value? {
        if let part = part(name) { return part.isNull ? nil : try RowDecoder.decode(Value.self, from: part, naming) }
        let column = try column(place(name))
        return column.decodeNil() ? nil : try column.decode(Value.self)
    }

    private func part(_ name: String) -> RowPart? {
        naming.index(of: name, in: names) == nil ? RowPart(name, of: row, naming) : nil
    }

    private func column(_ place: Int) -> ColumnDecoder { ColumnDecoder(row, place) }

    /// The number of the column with a name.
    private mutating func place(_ name: String) throws(DatabaseError) -> Int {
        if next < names.count, names[next] == name {
            next += 1
            return next - 1
        }
        let index = try naming.column(name, in: names)
        next = index + 1
        return index
    }
}
