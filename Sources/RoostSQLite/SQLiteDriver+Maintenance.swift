internal import CSQLite
import Glibc
import Logging
import Roost
public import RoostSQL

extension SQLiteDriver: SQLFileDriver {
    /// The path of the file; nil for a database in memory.
    package var path: String? { configuration.isInMemory ? nil : configuration.path }

    /// Whether there is no file at the path, and none that a restore was about to put there.
    package var isMissing: Bool {
        access(configuration.path, F_OK) != 0 && errno == ENOENT && !SQLiteRestore.wasInterrupted(configuration.path)
    }

    /// Looks whether a start can create the missing file, and changes nothing.
    package func checkCreation() throws {
        if let mistake = OpeningMistake.ofCreation(configuration.path, makesFolder: configuration.makesFolder) {
            throw mistake
        }
    }

    /// Looks whether the file and what belongs to it can be written, and changes nothing.
    package func checkWriting() throws {
        if let path, let mistake = OpeningMistake.ofWriting(path) { throw mistake }
    }

    /// Returns another driver of the same file, which is not started.
    package func opening(for access: SQLFileAccess) -> any SQLFileDriver {
        var configuration = configuration
        configuration.access = access
        return SQLiteDriver(configuration, logger: logger)
    }

    /// Puts a backup in the place of the database, as ``SQLiteRestore`` does.
    package func restore(
        from backup: String, for migrations: [String]
    ) async throws -> (old: String?, unknown: [String]) {
        makeFolder()
        let restore = SQLiteRestore(of: backup, to: configuration.path)
        return try await offload { try restore.run(for: migrations) }
    }

    /// Makes the file's folder, if the configuration says so. If it cannot be made, opening the file says why.
    func makeFolder() {
        if configuration.makesFolder { mkdir(PartialFile.folder(of: configuration.path), 0o700) }
    }

    /// Reads the whole file and checks it: pages, indexes, constraints and foreign keys.
    /// - Returns: The faults, as at most 100 sentences; empty when there are none.
    public func check() async throws -> [String] {
        do {
            return try await maintain { try $0.faults() }
        } catch DatabaseError.corrupt(let text) {
            return [text]
        }
    }

    /// Copies the current state of the database into a new file, while others read and write.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` when the file exists or cannot be created,
    ///   ``DatabaseError/misconfigured(_:)`` when the database has no tables, another ``DatabaseError`` when the file
    ///   cannot be written, and ``DatabaseError/corrupt(_:)`` when pages are damaged; no partial file is left in these
    ///   cases.
    public func backUp(to path: String) async throws {
        guard !path.isEmpty else { throw DatabaseError.invalidValue("The path of the backup is empty; name a file.") }
        // Also a link that leads nowhere.
        var status = stat()
        guard lstat(path, &status) != 0 else { throw DatabaseError.invalidValue("\(path) exists; name a new file.") }
        guard errno == ENOENT, access(PartialFile.folder(of: path), W_OK | X_OK) == 0 else {
            throw DatabaseError.invalidValue("\(path) cannot be created: \(String(cString: strerror(errno))).")
        }
        let partial = PartialFile(of: path)
        do {
            let database = configuration.path
            try await maintain { connection in
                guard try connection.hasTables() else {
                    throw DatabaseError.misconfigured("The database \(database) is empty: there is nothing to back up.")
                }
                try connection.copy(to: partial)
                // A damaged one would take the place of an older one that is whole.
                if let damage = try SQLiteConnection.damage(of: partial, during: connection.limits.job) {
                    throw DatabaseError.corrupt("\(damage), in \(database) or in its copy, \(path)")
                }
            }
            try await offloadOwn { try partial.publish() }
        } catch {
            partial.remove()
            throw error
        }
    }

    /// Runs something long on its own thread.
    private func maintain<Value: Sendable>(
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        let lane = try lanes.take()
        defer { lanes.giveBack(lane) }
        return try await SQLiteWork(deadline: configuration.now() + .seconds(86_400), work).run(lane.put)
    }
}

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

    /// Whether there is anything in the database.
    func hasTables() throws -> Bool {
        try run("SELECT 1 FROM sqlite_schema LIMIT 1", into: false) { isThere, _ in
            isThere = true
            return true
        }.state
    }

    private static func failure(_ code: Int32, _ message: String, _ file: PartialFile) -> DatabaseError {
        DatabaseError(code: code, message: message, path: file.path)
    }

    /// Reads the whole file; returns what is wrong with its pages, indexes, constraints and foreign keys, at most about
    /// 200 sentences.
    func faults() throws -> [String] {
        let faults = try run("PRAGMA integrity_check(100)", into: [String]()) { faults, row in
            if let text = row.text(0), text != "ok" { faults.append(text) }
            return true
        }
        return try faults.state + orphans(atMost: 100)
    }

    /// The first fault of a copy's pages; nil if there is none.
    static func damage(of copy: PartialFile, during job: SQLiteJob?) throws -> String? {
        do {
            let connection = try SQLiteRestore.open(copy.path)
            connection.limits.job = job
            return try connection.damage()
        } catch DatabaseError.corrupt(let text) {
            return text
        } catch DatabaseError.statement {
            // A virtual column has a function, or an index a collation, that this program does not have.
            return nil
        }
    }

    /// The first fault of the file's pages; nil if there is none. Rows that a constraint forbids are no damage.
    private func damage() throws -> String? {
        // A check may have a function that this program does not have.
        try execute("PRAGMA ignore_check_constraints=ON")
        return try run("PRAGMA quick_check(1)", into: nil) { (damage: inout String?, row) in
            // The faults of pages come first, in one text that begins with such a line.
            let lines = (row.text(0) ?? "").utf8.split(separator: UInt8(ascii: "\n"))
            if lines.first?.starts(with: "*** in database".utf8) == true {
                damage = lines.dropFirst().map { String(Substring($0)) }.joined(separator: "; ")
            }
            return true
        }.state
    }

    /// The rows that refer to rows which do not exist, a sentence each.
    private func orphans(atMost limit: Int) throws -> [String] {
        try run("PRAGMA foreign_key_check", into: [String]()) { orphans, row in
            let name = row.text(0) ?? "?"
            let number = row.integer(1).map { " \($0)" } ?? ""
            orphans.append("row\(number) of \(name) refers to a row of \(row.text(2) ?? "?") that does not exist")
            return orphans.count < limit
        }.state
    }

    /// Writes SQLite's statistics of large tables, from which its planner chooses indexes.
    func keepStatistics() {
        do {
            // In one transaction: others may read what it commits. It has the lock before it reads, since it could not
            // get it later if another process had written meanwhile.
            try execute("BEGIN IMMEDIATE")
            // Of each index some hundred rows at most, so that the stop takes no longer with the size of the file.
            try execute("PRAGMA analysis_limit=400")
            try execute("PRAGMA optimize")
            try raiseSmallTables()
            try execute("COMMIT")
        } catch {
            if !isIdle { try? execute("ROLLBACK") }
        }
    }

    /// Gives tables 10,000 rows in SQLite's statistics that have fewer there. SQLite believes them as long as the
    /// program runs: of a small table it would read all where an index would do, however large the table has become.
    /// Without a number, a table would count as larger than those that have one.
    /// - Throws: ``DatabaseError``, also when there never were any statistics.
    func raiseSmallTables() throws(DatabaseError) {
        let isSmall = "CAST(stat AS INTEGER) < 10000"
        let statement = try prepare("SELECT 1 FROM sqlite_stat1 WHERE \(isSmall) LIMIT 1")
        guard try statement.step() else { return }
        statement.reset()
        // Not every SQLite has such samples.
        try? execute(
            "DELETE FROM sqlite_stat4 WHERE EXISTS (SELECT 1 FROM sqlite_stat1 AS small WHERE small.tbl = "
                + "sqlite_stat4.tbl AND small.idx = sqlite_stat4.idx AND CAST(small.stat AS INTEGER) < 10000)")
        try execute("UPDATE sqlite_stat1 SET stat = '10000' || ltrim(stat, '0123456789') WHERE \(isSmall)")
        // The connection has the old numbers in memory: this has it read the schema, and them, again.
        try execute("PRAGMA writable_schema=RESET")
    }

    /// Checks the rows at the end of a migration, which is undone if one refers to a row that does not exist: only then
    /// can it be told whether the migration has done that.
    /// - Throws: ``DatabaseError/foreignKeyViolation(_:)``.
    func checkForeignKeys() throws {
        let found = try orphans(atMost: 3)
        guard !found.isEmpty else { return }
        try execute("ROLLBACK")
        let wasSound = try orphans(atMost: 1).isEmpty
        let advice =
            ". Such rows were there before the migration: correct them first (PRAGMA foreign_key_check lists them)."
        throw DatabaseError.foreignKeyViolation(found.joined(separator: "; ") + (wasSound ? "" : advice))
    }
}
