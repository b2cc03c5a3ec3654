internal import CSQLite
import Roost
internal import RoostSQL

/// A prepared statement, and its current row while it runs. It belongs to the thread of one connection.
final class SQLiteStatement: SQLRow {
    /// The SQL text that it was prepared from, with numbers for its placeholders.
    let text: ExactText
    let handle: OpaquePointer
    private unowned let connection: SQLiteConnection
    /// The binding for each of SQLite's parameters: SQLite numbers `$2` by its position, we by the number in it.
    private let bindingIndexes: [Int]
    /// The number of values, from the first one on, that have a place. To SQLite, a placeholder in quotes or in a
    /// comment is none.
    private let placedCount: Int
    /// Whether it changes nothing.
    let isReadOnly: Bool
    /// Whether each step of its program takes bounded time. It holds for the program that there is when it is first
    /// asked for, so it needs a statement that SQLite does not prepare again by itself.
    private(set) lazy var isProven = isReadOnly && BoundedProgram.isProven(text.text, on: connection.handle)
    /// The time until which an event loop leaves it to a thread; nil when it does not.
    @exclusivity(unchecked) var pauseEnd: ContinuousClock.Instant?
    private(set) var columnNames: [String]
    private var preparations: Int32 = 0
    /// Whether no row has been read since the last run.
    private var isFresh = true
    /// Whether it begins or ends a transaction or a savepoint, which only the driver may do.
    let controlsTransaction: Bool
    /// Whether SQLite counts what it changes.
    let countsChanges: Bool

    /// - Parameter isNameless: Whether its placeholders are `?`, each for one binding, in their order.
    init(
        _ text: String, _ handle: OpaquePointer, _ connection: SQLiteConnection, isNameless: Bool = false
    ) throws(DatabaseError) {
        self.text = ExactText(text)
        self.handle = handle
        self.connection = connection
        let kind = StatementKind(text, in: .sqlite)
        controlsTransaction = kind == .transactionControl || kind == .savepoint
        isReadOnly = sqlite3_stmt_readonly(handle) != 0
        countsChanges = !isReadOnly && (kind == .change || kind == .query)
        columnNames = Self.columnNames(handle)
        let count = sqlite3_bind_parameter_count(handle)
        if isNameless {
            bindingIndexes = Array(0..<Int(count))
            placedCount = Int(count)
            return
        }
        var indexes: [Int] = []
        for parameter in 0..<count {
            guard let name = sqlite3_bind_parameter_name(handle, parameter + 1), name[0] == CChar(bitPattern: 0x24),
                let number = Int(String(cString: name + 1)), number > 0
            else {
                sqlite3_finalize(handle)
                throw .statement(code: "parameter", message: "Placeholders must be $1, $2 and so on.")
            }
            indexes.append(number - 1)
        }
        bindingIndexes = indexes
        let places = Set(indexes)
        placedCount = (0...indexes.count).first { !places.contains($0) } ?? indexes.count
    }

    deinit { sqlite3_finalize(handle) }

    private static func columnNames(_ handle: OpaquePointer) -> [String] {
        (0..<sqlite3_column_count(handle)).map { index in
            sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
        }
    }

    // MARK: Running

    /// Runs the statement from its first row, until there are no more or `each` returns false.
    func run<State>(
        _ bindings: [SQLValue], into state: inout State, _ each: (inout State, any SQLRow) throws -> Bool
    ) throws {
        try bind(bindings)
        defer { reset() }
        while try step(), try each(&state, self) {}
    }

    /// Goes to the next row; false at the end.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW:
            if isFresh { noteColumns() }
            return true
        case SQLITE_DONE: return false
        default:
            // A statement that SQLite does not prepare again by itself tells its error only here.
            sqlite3_reset(handle)
            throw connection.lastError
        }
    }

    /// Reads the columns' names again if SQLite has prepared the statement anew: it does so by itself when a run begins
    /// and the schema has changed, and the statement may then have other columns.
    private func noteColumns() {
        isFresh = false
        let count = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
        guard count != preparations else { return }
        preparations = count
        columnNames = Self.columnNames(handle)
    }

    /// Ends a run, so that the connection releases its view of the data.
    func reset() {
        isFresh = true
        sqlite3_reset(handle)
        if !bindingIndexes.isEmpty { sqlite3_clear_bindings(handle) }
    }

    // MARK: Values to the engine

    func bind(_ bindings: [SQLValue]) throws(DatabaseError) {
        for (place, index) in bindingIndexes.enumerated() {
            guard index < bindings.count else {
                throw .statement(code: "parameter", message: "$\(index + 1) has no value.")
            }
            let code = try bind(bindings[index], Int32(place + 1))
            guard code == SQLITE_OK else { throw connection.lastError }
        }
        // Statements with more values may leave some out.
        guard bindings.count <= max(placedCount, SQLiteConnection.fewValues) else { return }
        guard bindings.count <= placedCount else {
            throw .statement(
                code: "parameter",
                message: "$\(placedCount + 1) has a value, but no place, or one in quotes or in a comment: write "
                    + "name = \\(value) or name LIKE \\(containing: value), without quotes.")
        }
    }

    private func bind(_ value: SQLValue, _ place: Int32) throws(DatabaseError) -> Int32 {
        // SQLITE_TRANSIENT: SQLite makes a copy.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return sqlite3_bind_null(handle, place)
        case .integer(let number): return sqlite3_bind_int64(handle, place, number)
        case .real(let number):
            guard !number.isNaN else { throw .invalidValue("SQLite cannot store NaN.") }
            return sqlite3_bind_double(handle, place, number)
        case .text(let text):
            // Also of an empty text there is an address: a null pointer would mean NULL.
            return text.withCString {
                sqlite3_bind_text64(handle, place, $0, UInt64(text.utf8.count), copies, UInt8(SQLITE_UTF8))
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, place, 0)
                    : sqlite3_bind_blob64(handle, place, bytes.baseAddress, UInt64(bytes.count), copies)
            }
        }
    }
}

// The values of the current row.
extension SQLiteStatement {
    /// A value of the current row: an "unprotected" `sqlite3_value`. SQLite warns about its use only because another
    /// thread might use the connection meanwhile, and a connection is one thread's (SQLITE_OPEN_NOMUTEX). So it can be
    /// read without the lock and the checks of `sqlite3_column_…`.
    private func value(_ column: Int) -> OpaquePointer? { sqlite3_column_value(handle, Int32(column)) }

    private func type(_ column: Int) -> Int32 { sqlite3_value_type(value(column)) }

    func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

    func integer(_ column: Int) -> Int64? {
        let value = value(column)
        return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
    }

    func real(_ column: Int) -> Double? {
        let value = value(column)
        let type = sqlite3_value_type(value)
        return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_value_double(value) : nil
    }

    func bool(_ column: Int) -> Bool? {
        switch integer(column) {
        case 0: false
        case 1: true
        default: nil
        }
    }

    func text(_ column: Int) -> String? {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_TEXT, let text = sqlite3_value_text(value) else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return String(unsafeUninitializedCapacity: count) {
            $0.initialize(fromContentsOf: UnsafeBufferPointer(start: text, count: count))
        }
    }

    func blob(_ column: Int) -> [UInt8]? {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
        guard let bytes = sqlite3_value_blob(value) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
    }

    func typeName(_ column: Int) -> String {
        switch type(column) {
        case SQLITE_INTEGER: "INTEGER"
        case SQLITE_FLOAT: "REAL"
        case SQLITE_TEXT: "TEXT"
        case SQLITE_BLOB: "BLOB"
        default: "NULL"
        }
    }
}
