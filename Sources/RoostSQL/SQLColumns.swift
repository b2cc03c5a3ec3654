/// The columns of a row, for a type that reads them itself (``SQLReadable``).
///
/// The usual case is compiled into the type that reads: the next column has the name that is asked for, and the driver
/// has lent the row's values (``SQLRow/cells()``). Everything else is left to the row.
public struct SQLColumns {
    private let row: any SQLRow
    @usableFromInline let names: [String]
    private let naming: ColumnNaming
    /// The row's values, if the driver lends them.
    @usableFromInline var cells: UnsafePointer<SQLCell>?
    /// The column that is probably read next.
    @usableFromInline var next = 0

    /// Begins at the first column of a row. A driver usually reads all of a statement's rows by one object.
    @inline(__always)
    mutating func begin(_ row: any SQLRow) {
        if row !== self.row { self = SQLColumns(row, naming) } else { cells = row.cells() }
        next = 0
    }

    init(_ row: any SQLRow, _ naming: ColumnNaming) {
        self.row = row
        self.naming = naming
        names = row.columnNames
        cells = row.cells()
    }

    /// Lets `each` read the columns here, so that they need not be moved to it and back.
    @inline(__always)
    mutating func pass(to each: (inout SQLColumns) throws -> Bool) rethrows -> Bool { try each(&self) }

    /// The value of the next column, if it has this very name and has been lent.
    @inlinable
    @inline(__always)
    mutating func take(_ name: String) -> SQLCell? {
        guard let cells, next < names.count, Self.isSame(names[next], name) else { return nil }
        next &+= 1
        return cells[next &- 1]
    }

    /// Whether two texts are the same words in memory, as short ones always are when they are equal.
    @inlinable
    @inline(__always)
    static func isSame(_ left: String, _ right: String) -> Bool {
        let left = unsafeBitCast(left, to: (UInt, UInt).self)
        let right = unsafeBitCast(right, to: (UInt, UInt).self)
        return left == right
    }

    /// Decodes a type by the names of the columns, or from the first column if it is one value.
    @usableFromInline
    func decode<Row: Decodable>(_ type: Row.Type) throws -> Row { try RowDecoder.decode(type, from: row, naming) }

    /// Reads a whole number. All these throw ``DatabaseError/column(_:reason:)`` when the column is missing, or its
    /// value is of another type.
    @inlinable
    public mutating func read(_ name: String) throws -> Int {
        let value = take(name)
        if let value, value.kind == .integer, let number = Int(exactly: value.number) { return number }
        if value != nil { next &-= 1 }
        return try readInteger(name)
    }

    @usableFromInline
    mutating func readInteger(_ name: String) throws -> Int {
        let place = try place(name)
        // What does not fit gets its error from the decoder.
        return try row.integer(place).flatMap { Int(exactly: $0) } ?? column(place).decode(Int.self)
    }

    /// Reads a whole number, or `NULL`.
    @inlinable
    public mutating func readIfPresent(_ name: String) throws -> Int? {
        let value = take(name)
        if let value, value.kind == .integer, let number = Int(exactly: value.number) { return number }
        if let value, value.kind == .null { return nil }
        if value != nil { next &-= 1 }
        return try readIntegerIfPresent(name)
    }

    @usableFromInline
    mutating func readIntegerIfPresent(_ name: String) throws -> Int? {
        let place = try place(name)
        if let value = row.integer(place).flatMap({ Int(exactly: $0) }) { return value }
        return try row.isNull(place) ? nil : column(place).decode(Int.self)
    }

    /// Reads a text.
    @inlinable
    public mutating func read(_ name: String) throws -> String {
        let value = take(name)
        if let value, value.kind == .text { return value.text }
        if value != nil { next &-= 1 }
        return try readText(name)
    }

    @usableFromInline
    mutating func readText(_ name: String) throws -> String {
        let place = try place(name)
        return try row.text(place) ?? column(place).decode(String.self)
    }

    /// Reads a text, or `NULL`.
    @inlinable
    public mutating func readIfPresent(_ name: String) throws -> String? {
        let value = take(name)
        if let value, value.kind == .text { return value.text }
        if let value, value.kind == .null { return nil }
        if value != nil { next &-= 1 }
        return try readTextIfPresent(name)
    }

    @usableFromInline
    mutating func readTextIfPresent(_ name: String) throws -> String? {
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
