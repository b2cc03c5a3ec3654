internal import CSQLite
import Glibc
internal import RoostSQL
import Synchronization

/// A connection to the file, used by one thread.
final class SQLiteConnection {
    /// The role of a connection: to write, or only to read.
    enum Role {
        case writer
        case reader
    }

    private let file: SQLiteFile
    let path: String
    let role: Role
    let handle: OpaquePointer
    @exclusivity(unchecked) private var statements: StatementCache
    /// The statements of streams, which end with the connection at the latest.
    private var openStatements: [ObjectIdentifier: SQLiteStatement] = [:]
    /// Set when a migration's script has run, which may have left temporary tables and settings: the connection is then
    /// opened anew.
    var isSpent = false
    /// The identity of the file, as the system knew it before it was opened.
    private let identity: FileIdentity?
    let limits: StatementLimits

    /// Opens the file.
    /// - Parameter creates: Whether a missing file is created.
    init(
        _ file: SQLiteFile,
        _ role: Role,
        creates: Bool,
        _ limits: StatementLimits
    ) throws(DatabaseError) {
        let configuration = file.configuration
        self.file = file
        path = configuration.path
        self.role = role
        self.limits = limits
        statements = StatementCache(capacity: configuration.statementCacheCapacity)
        if creates, !configuration.isInMemory { Self.create(path) }
        identity = FileIdentity(path)
        var opened: OpaquePointer?
        let (name, flags) = file.opening
        let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
            let reason = opened.map { sqlite3_system_errno($0) } ?? 0
            sqlite3_close_v2(opened)
            let text = reason == 0 ? message : "\(message): \(String(cString: strerror(reason)))"
            throw DatabaseError(code: code, message: text, path: path)
        }
        handle = opened
        sqlite3_extended_result_codes(opened, 1)
        sqlite3_defend(opened)
        // On a loop the steps of statements are limited, and not those of opening the file.
        if !limits.isOnLoop { limits.install(on: opened) }
        try hold()
        try configure(configuration)
        // Only a file with a write-ahead log has been held all the time.
        try checkPlace()
    }

    deinit {
        statements.removeAll()
        openStatements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Creates the file if it is missing; only its owner may then use it. The file is never opened here: to close any
    /// descriptor of a file releases all locks that this process has on it (https://sqlite.org/howtocorrupt.html, 2.2),
    /// and another connection may have some. If it cannot be created, opening it says why.
    private static func create(_ path: String) { mknod(SQLiteDriver.realPath(path), S_IFREG | 0o600, 0) }

    /// Waits until the file can be read, with a lock that SQLite then keeps. While the connection waits, a restore may
    /// give the file another name. SQLite would find the log by the old name: it would be the restored file's.
    private func hold() throws(DatabaseError) {
        guard identity != nil, file.canBeReplaced else { return }
        let code = limits.untilFree { SQLiteFile.lock(handle, SQLITE_LOCK_SHARED) }
        guard code == SQLITE_OK else {
            throw DatabaseError(code: code, message: String(cString: sqlite3_errstr(code)), path: path)
        }
        try checkPlace()
    }

    /// Checks that the path leads to the file that was opened, and that no restore is about to change that.
    private func checkPlace() throws(DatabaseError) {
        guard file.canBeReplaced else { return }
        // In this order: a restore that begins later is refused, since the file is in use.
        guard !SQLiteRestore.wasInterrupted(path), FileIdentity(path) == identity else {
            throw .unavailable("the file was replaced while it was opened, or its restore is not finished (\(path)).")
        }
    }

    private func configure(_ configuration: SQLiteConfiguration) throws(DatabaseError) {
        switch role {
        case .writer:
            try beginLog()
            try execute("PRAGMA synchronous=\(configuration.durability == .full ? "FULL" : "NORMAL")")
            // The space that a burst of writes has used is given back at the next checkpoint.
            try execute("PRAGMA journal_size_limit=\(configuration.maximumLog)")
        case .reader:
            try execute("PRAGMA query_only=ON")
        }
        try execute("PRAGMA cache_size=-8192")
        // The first read of the file: if it is not a database, this finds out.
        try execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        // There are none, as a rule. Where another process has the lock for long, the next start does it.
        if role == .writer { limits.impatiently(for: 50) { try? raiseSmallTables() } }
        if limits.isOnLoop { try boundSteps() }
    }

    /// The maximum size of a value, and of a row with them, on an event loop, in bytes.
    private static let maximumLoopLength: Int32 = 16_384

    /// Limits what a step of SQLite's can do: it handles no long value, and writes no temporary file.
    private func boundSteps() throws(DatabaseError) {
        try execute("PRAGMA temp_store=MEMORY")
        limits.install(on: handle)
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.maximumLoopLength)
    }

    /// Switches to a write-ahead log. SQLite does not say that it cannot; it answers with the mode that there is.
    private func beginLog() throws(DatabaseError) {
        let statement = try prepare("PRAGMA journal_mode=WAL")
        let mode = try statement.step() ? statement.text(0) ?? "" : ""
        guard mode == "wal" || file.configuration.isInMemory else {
            throw .misconfigured(
                "The SQLite file \(path) cannot have a write-ahead log, and stays in the mode \(mode): "
                    + "put it on a disk of this machine.")
        }
    }

    // MARK: Statements

    /// Runs a caller's statement and reduces its rows.
    func run<State: Sendable>(
        _ sql: SQL, into state: State, _ each: (inout State, any SQLRow) throws -> Bool
    ) throws -> (state: State, outcome: SQLOutcome) {
        let statement = try prepared(sql)
        if role == .reader, !statement.isReadOnly { throw refusal }
        var state = state
        guard statement.countsChanges else {
            try statement.run(sql.bindings, into: &state, each)
            return (state, SQLOutcome(changes: 0))
        }
        // Without a transaction it would be committed even if one of its rows cannot be decoded.
        let isAlone = isIdle
        if isAlone { try execute(cached: "BEGIN IMMEDIATE") }
        defer { if isAlone, !isIdle { try? execute(cached: "ROLLBACK") } }
        // It stays unless the statement itself inserts a row that has a number.
        sqlite3_set_last_insert_rowid(handle, 0)
        try statement.run(sql.bindings, into: &state, each)
        let (changes, id) = (Int(sqlite3_changes64(handle)), sqlite3_last_insert_rowid(handle))
        if isAlone {
            // Nothing ends a commit: it may be on the disk already.
            limits.job = nil
            try execute(cached: "COMMIT")
        }
        return (state, SQLOutcome(changes: changes, insertedID: id == 0 ? nil : id))
    }

    /// The error of a statement that changes something on a connection that only reads.
    private var refusal: any Error {
        let isReading = file.configuration.access == .reading
        return isReading ? DatabaseError.readOnly("it is open for reading (\(path))") : WriterNeeded()
    }

    /// A caller's statement, from the cache.
    func prepared(_ text: String) throws(DatabaseError) -> SQLiteStatement {
        let statement = try cached(text)
        guard !statement.controlsTransaction else { throw .transactionControl }
        return statement
    }

    private func cached(_ text: String) throws(DatabaseError) -> SQLiteStatement {
        if let statement = statements.find(text) { return statement }
        let statement = try prepare(text)
        statements.insert(statement)
        return statement
    }

    /// Removes a statement from the cache.
    func forget(_ statement: SQLiteStatement) { statements.remove(statement) }

    /// Keeps a statement that is read in portions.
    func keepOpen(_ statement: SQLiteStatement, as key: StatementKey) {
        openStatements[ObjectIdentifier(key)] = statement
    }

    /// A statement that was kept; nil when the connection has been closed since.
    func openStatement(_ key: StatementKey) -> SQLiteStatement? { openStatements[ObjectIdentifier(key)] }

    /// Ends a statement that was kept.
    func letGo(of key: StatementKey) { openStatements[ObjectIdentifier(key)] = nil }

    /// Runs one of the driver's own statements.
    func execute(_ text: String) throws(DatabaseError) {
        guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else { throw lastError }
    }

    /// Runs statements separated by semicolons, except those that begin or end a transaction.
    func execute(script: String) throws(DatabaseError) {
        // SQLite would take it for the end.
        guard !script.utf8.contains(0) else { throw .invalidValue("A script has a NUL.") }
        var rest = Array(script.utf8CString)[...]
        while let (statement, count) = try compile(rest) {
            defer { sqlite3_finalize(statement) }
            let text = String(decoding: rest.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
            let kind = StatementKind(text, in: .sqlite)
            if kind == .transactionControl || kind == .savepoint { throw .transactionControlInScript }
            rest = rest.dropFirst(count)
            var step = SQLITE_ROW
            while step == SQLITE_ROW { step = sqlite3_step(statement) }
            guard step == SQLITE_DONE else { throw lastError }
        }
        if file.configuration.isInMemory { try dropTemporaries() }
    }

    /// Drops what a script leaves of temporary tables where the connection cannot be opened anew.
    private func dropTemporaries() throws(DatabaseError) {
        // Those of a virtual table go with it.
        let list = try prepare(
            """
            SELECT 'DROP ' || type || ' IF EXISTS temp."' || replace(name, '"', '""') || '";'
            FROM temp.sqlite_schema WHERE type <> 'index' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            ORDER BY sql LIKE 'CREATE VIRTUAL %' DESC
            """)
        var commands = ""
        while try list.step() { commands += list.text(0) ?? "" }
        list.reset()
        try execute(commands)
    }

    /// Runs one of the driver's own statements, one that is used often.
    func execute(cached text: String) throws(DatabaseError) {
        let statement = try cached(text)
        defer { statement.reset() }
        _ = try statement.step()
    }

    // MARK: State

    /// Whether no transaction is open: SQLite rolls back by itself after some errors.
    var isIdle: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Counts a commit, so that event loops take a new view of the data (``LoopReader``), and looks whether the path
    /// still leads to the file. What was written into another one is lost with its last connection, unless somebody
    /// puts it back; all connections are then opened again.
    /// - Throws: ``DatabaseError/outcomeUnknown(_:)`` when the file was removed or replaced.
    func noteCommit() throws(DatabaseError) {
        file.commits.add(1, ordering: .releasing)
        guard identity != nil, FileIdentity(path) != identity else { return }
        file.generation.add(1, ordering: .relaxed)
        throw .outcomeUnknown("the file was removed or replaced (\(path)).")
    }

    /// The size of the write-ahead log in bytes; 0 without one.
    var logSize: Int {
        var status = stat()
        guard let name = sqlite3_db_filename(handle, "main"), stat(sqlite3_filename_wal(name), &status) == 0 else {
            return 0
        }
        return Int(status.st_size)
    }

    /// Writes the whole log into the file, so that the next commit begins it anew. New readers do not need it then;
    /// for those that do, it waits.
    /// - Returns: Whether nothing but another process's lock keeps the log from being begun anew.
    func emptyLog() -> Bool {
        var (size, written): (Int32, Int32) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, &size, &written)
        return code == SQLITE_BUSY && written == size
    }

    /// Has foreign keys enforced, or not, also in the middle of a transaction.
    func enforceForeignKeys(_ isOn: Bool) { sqlite3_enforce_foreign_keys(handle, isOn ? 1 : 0) }

    var lastError: DatabaseError {
        let code = sqlite3_extended_errcode(handle)
        var message = String(cString: sqlite3_errmsg(handle))
        let reason = sqlite3_system_errno(handle)
        if code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN, reason != 0 {
            message += ": \(String(cString: strerror(reason)))"
        }
        if code & 0xFF == SQLITE_IOERR, code != SQLITE_IOERR_FSYNC,
            reason == ENOSPC || reason == EDQUOT || reason == EFBIG
        {
            return .full("\(message) (\(path))")
        }
        return DatabaseError(code: code, message: message, path: path)
    }
}
