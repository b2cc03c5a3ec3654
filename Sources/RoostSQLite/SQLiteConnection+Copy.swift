internal import CSQLite
internal import RoostSQL

extension SQLiteConnection {
    /// Copies the database into a new file. It copies a few megabytes at a time, so that it can be interrupted, and all
    /// in one transaction, so that it need not start over when somebody writes.
    func copy(to file: PartialFile) throws {
        try file.create()
        var target: OpaquePointer?
        let code = sqlite3_open_v2(file.path, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        defer { sqlite3_close_v2(target) }
        guard code == SQLITE_OK else { throw Self.failure(code, "the copy cannot begin", file) }
        try execute("BEGIN")
        defer { try? execute("ROLLBACK") }
        try execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        guard let backup = sqlite3_backup_init(target, "main", handle, "main") else {
            throw Self.failure(sqlite3_errcode(target), "the copy cannot begin", file)
        }
        var step = SQLITE_OK
        while step == SQLITE_OK, limits.job?.isCancelled != true { step = sqlite3_backup_step(backup, 1000) }
        let end = sqlite3_backup_finish(backup)
        if step == SQLITE_OK { throw CancellationError() }
        let result = step == SQLITE_DONE ? end : step
        guard result == SQLITE_OK else { throw Self.failure(result, String(cString: sqlite3_errstr(result)), file) }
    }

    private static func failure(_ code: Int32, _ message: String, _ file: PartialFile) -> DatabaseError {
        DatabaseError(code: code, message: message, path: file.path)
    }
}
