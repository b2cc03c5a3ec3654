internal import CSQLite
import Glibc
import RoostSQL

extension SQLiteDriver {
    /// Reads the whole file and checks it: pages, indexes, constraints and foreign keys.
    /// - Returns: What is wrong, at most 100 sentences; empty when nothing is.
    public func check() async throws -> [String] {
        do {
            return try await maintain(Self.faults)
        } catch DatabaseError.corrupt(let text) {
            return [text]
        }
    }

    private static let faults: @Sendable (SQLiteConnection) throws -> [String] = { connection in
        var faults: [String] = []
        _ = try connection.run("PRAGMA integrity_check(100)", into: &faults) { faults, row in
            if let text = row.text(0), text != "ok" { faults.append(text) }
            return true
        }
        _ = try connection.run("PRAGMA foreign_key_check", into: &faults) { faults, row in
            let name = row.text(0) ?? "?"
            let number = row.integer(1).map { " \($0)" } ?? ""
            faults.append("row\(number) of \(name) refers to a row of \(row.text(2) ?? "?") that does not exist")
            return faults.count < 100
        }
        return faults
    }

    /// Copies the current state of the database into a new file, while others read and write.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` when the file exists or cannot be created, another
    ///   ``DatabaseError`` when it cannot be written; no partial file is left in that case.
    public func backUp(to path: String) async throws {
        guard access(path, F_OK) != 0 else { throw DatabaseError.invalidValue("\(path) exists; name a new file.") }
        guard errno == ENOENT, access(Self.folder(of: path), W_OK | X_OK) == 0 else {
            throw DatabaseError.invalidValue("\(path) cannot be created: \(String(cString: strerror(errno))).")
        }
        // A unique name, so that two backups to the same file do not write into each other's.
        let partial = path + ".\(getpid())-\(UInt32.random(in: 0...UInt32.max)).partial"
        do {
            try await maintain { try Self.copy($0, to: partial) }
            try Self.publish(partial, as: path)
        } catch {
            unlink(partial)
            throw error
        }
    }

    /// Runs something long on its own thread.
    private func maintain<Value: Sendable>(
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        let lane = try lane()
        defer { lane.release() }
        return try await SQLiteWork(deadline: configuration.now() + .seconds(86_400), work).run(lane.queue.put)
    }

    /// Copies a few megabytes at a time, so that it can be interrupted; in one transaction, so that it need not start
    /// over when somebody writes.
    private static func copy(_ connection: SQLiteConnection, to path: String) throws {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseError.unavailable("\(path): \(String(cString: strerror(errno)))") }
        close(descriptor)
        var target: OpaquePointer?
        let code = sqlite3_open_v2(path, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        defer { sqlite3_close_v2(target) }
        guard code == SQLITE_OK else { throw DatabaseError(code: code, message: "the backup cannot begin", path: path) }
        try connection.execute("BEGIN")
        defer { try? connection.execute("ROLLBACK") }
        try connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        guard let backup = sqlite3_backup_init(target, "main", connection.handle, "main") else {
            throw DatabaseError(code: sqlite3_errcode(target), message: "the backup cannot begin", path: path)
        }
        var step = SQLITE_OK
        while step == SQLITE_OK, connection.limits.job?.isCancelled != true { step = sqlite3_backup_step(backup, 1000) }
        let end = sqlite3_backup_finish(backup)
        if step == SQLITE_OK { throw CancellationError() }
        guard step == SQLITE_DONE, end == SQLITE_OK else {
            let message = String(cString: sqlite3_errstr(step == SQLITE_DONE ? end : step))
            throw DatabaseError(code: step == SQLITE_DONE ? end : step, message: message, path: path)
        }
    }

    /// Gives its name to a file that is complete and on the disk.
    private static func publish(_ partial: String, as path: String) throws {
        let descriptor = Glibc.open(partial, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, link(partial, path) == 0, unlink(partial) == 0, syncFolder(of: path) else {
            throw DatabaseError.unavailable("\(path): \(String(cString: strerror(errno)))")
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// A name is on the disk only once its folder is.
    private static func syncFolder(of path: String) -> Bool {
        let descriptor = Glibc.open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }
}
