internal import CSQLite
import Roost
internal import RoostSQL

/// A prepared statement, and its current row while it runs. It belongs to the thread of one connection.
final class SQLiteStatement: SQLRow {
    /// The SQL text that it was prepared from.
    let text: ExactText
    let handle: OpaquePointer
    private unowned let connection: SQLiteConnection
    /// The binding for each of SQLite's parameters: SQLite numbers `$2` by its position, we by the number in it.
    private let bindingIndexes: [Int]
    /// Whether it changes nothing.
    let isReadOnly: Bool
    /// Whether each step of its program takes bounded time. It holds for the program that there is when it is first
    /// asked for, so it needs a statement that SQLite does not prepare again by itself.
    private(set) lazy var isProven = isReadOnly && BoundedProgram.isProven(text.text, on: connection.handle)
    /// The time until which an event loop leaves it to a thread; nil when it does not.
    var pauseEnd: ContinuousClock.Instant?
    /// The number of its last use, counted by the cache.
    var lastUse = 0
    private(set) var columnNames: [String]
    private var preparations: Int32 = 0
    /// Whether no row has been read since the last run.
    private var isFresh = true
    /// The current row's values, if somebody has asked for them.
    var lent: SQLiteCells?

    /// Whether SQLite counts what it changes.
    let countsChanges: Bool

    init(
        _ text: String, _ handle: OpaquePointer, _ connection: SQLiteConnection, countsChanges: Bool
    ) throws(DatabaseError) {
        self.text = ExactText(text)
        self.handle = handle
        self.connection = connection
        self.countsChanges = countsChanges
        isReadOnly = sqlite3_stmt_readonly(handle) != 0
        columnNames = Self.columnNames(handle)
        var indexes: [Int] = []
        for parameter in 0..<sqlite3_bind_parameter_count(handle) {
            guard let name = sqlite3_bind_parameter_name(handle, parameter + 1), name[0] == CChar(bitPattern: 0x24),
                let number = Int(String(cString: name + 1)), number > 0
            else {
                sqlite3_finalize(handle)
                throw .statement(code: "parameter", message: "Placeholders must be $1, $2 and so on.")
            }
            indexes.append(number - 1)
        }
        bindingIndexes = indexes
    }

    deinit {
        lent?.deallocate()
        sqlite3_finalize(handle)
    }

    private static func columnNames(_ handle: OpaquePointer) -> [String] {
        (0..<sqlite3_column_count(handle)).map { index in
            sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
        }
    }

    // MARK: Running

    /// Runs the statement from its first row; returns how many rows it changed.
    func run<State>(
        _ bindings: [SQLValue],
        into state: inout State,
        _ each: (inout State, any SQLRow) throws -> Bool
    ) throws -> Int {
        try bind(bindings)
        defer { reset() }
        while try step() {
            if try !each(&state, self) { break }
        }
        return countsChanges ? Int(connection.changes) : 0
    }

    /// Reads rows from the first one, until there are no more or `each` returns false.
    func read(_ bindings: [SQLValue], _ each: (any SQLRow) throws -> Bool) throws {
        try bind(bindings)
        defer { reset() }
        while try step(), try each(self) {}
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
        lent?.deallocate()
        lent = nil
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
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    let base = bytes.baseAddress ?? Self.nothing
                    return sqlite3_bind_text64(
                        handle,
                        place,
                        base,
                        UInt64(bytes.count),
                        copies,
                        UInt8(SQLITE_UTF8)
                    )
                }
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, place, 0)
                    : sqlite3_bind_blob64(handle, place, bytes.baseAddress, UInt64(bytes.count), copies)
            }
        }
    }

    /// The address of an empty text: a null pointer would mean NULL.
    private static var nothing: UnsafePointer<CChar> {
        let text: StaticString = ""
        return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
