internal import CSQLite
import FoundationEssentials
import Glibc
internal import RoostSQL

/// A restore of a backup: a copy of the backup replaces a database that nobody is using.
///
///     let old = try await offload { try SQLiteRestore(of: "backup.sqlite", to: "site.sqlite").run() }
///
/// After a crash, a write-ahead log remains beside a database. SQLite would write that log into whatever file is in the
/// database's place, so copying a backup there by hand brings back rows from after the backup, or damages it.
public struct SQLiteRestore: Sendable {
    private let backup: String
    private let path: String

    /// Creates a restore, which does nothing until ``run()``.
    /// - Parameters:
    ///   - backup: The path of the backup, which is not changed.
    ///   - path: The path of the database, which need not exist.
    public init(of backup: String, to path: String) {
        self.backup = backup
        self.path = SQLiteDriver.realPath(path)
    }

    /// Copies the backup, checks the copy, gives the old database another name, and the copy its own. It blocks its
    /// thread for as long as it takes to read the backup twice.
    ///
    /// If it is interrupted after the check, the database cannot be started until it has been restored again.
    /// - Returns: The old database's new path, from which it can be restored in turn, even if an interrupted restore
    ///   gave it that path; nil if there was none.
    /// - Throws: ``DatabaseError/busy(_:)`` when somebody uses the database, ``DatabaseError/misconfigured(_:)`` when
    ///   the backup cannot be used, and another ``DatabaseError`` when the copy cannot be written. The database is then
    ///   as it was.
    public func run() throws -> String? { try run(for: []).old }

    /// The same, for a program with migrations of these names. A backup that has none of them is another program's, and
    /// refused.
    /// - Returns: Also the backup's migrations that are not among them.
    func run(for migrations: [String]) throws -> (old: String?, unknown: [String]) {
        try checkPaths()
        let use = access(path, F_OK) == 0 ? try SoleUse(of: path) : nil
        return try withExtendedLifetime(use) {
            let copy = PartialFile(of: path)
            do {
                let applied = try makeCopy(copy)
                guard migrations.isEmpty || applied.contains(where: migrations.contains) else {
                    throw unusable("it has none of this program's migrations, and so belongs to another one")
                }
                giveOwner(to: copy)
                try copy.sync()
                return (try exchange(copy), migrations.isEmpty ? [] : applied.filter { !migrations.contains($0) })
            } catch {
                copy.remove()
                throw error
            }
        }
    }

    /// Whether a restore of a database has been interrupted when the old one was about to get another name.
    static func wasInterrupted(_ path: String) -> Bool { access(whole(SQLiteDriver.realPath(path)), F_OK) == 0 }

    /// The path of a copy that has been checked: as long as it is there, the database is no longer the old one and not
    /// the new one yet.
    private static func whole(_ path: String) -> String { path + ".restoring" }

    // MARK: The copy

    private func checkPaths() throws(DatabaseError) {
        var status = stat()
        guard stat(backup, &status) == 0 else { throw unusable(String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unusable("it is not a file") }
        guard FileIdentity(backup) != FileIdentity(path) else { throw unusable("it is the database itself") }
    }

    /// Makes the copy, checks it, and returns the names of its migrations.
    private func makeCopy(_ copy: PartialFile) throws -> [String] {
        do {
            try Self.open(backup).copy(to: copy)
            let connection = try Self.open(copy.path)
            guard try connection.hasTables() else { throw unusable("it is empty") }
            let faults = try connection.faults()
            guard faults.isEmpty else { throw unusable(faults.joined(separator: "; ")) }
            return try Self.migrations(connection)
        } catch DatabaseError.corrupt(let text) {
            throw unusable(text)
        } catch DatabaseError.readOnly {
            // SQLite would have to undo half a transaction, or to write its log into the file.
            throw unusable(
                "it was not closed properly: open it once with sqlite3, with its -journal or -wal file beside it")
        }
    }

    /// The names of the migrations that have been applied; none where there is no table of them.
    private static func migrations(_ connection: SQLiteConnection) throws -> [String] {
        func texts(_ sql: SQL) throws -> [String] {
            try connection.run(sql, into: [String]()) {
                if let text = $1.text(0) { $0.append(text) }
                return true
            }.state
        }
        let tables = try texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'")
        return tables.isEmpty ? [] : try texts("SELECT name FROM schema_migrations ORDER BY version")
    }

    /// A connection that changes nothing, also beside the file.
    static func open(_ path: String) throws(DatabaseError) -> SQLiteConnection {
        var configuration = SQLiteConfiguration(path: path)
        configuration.access = .reading
        let file = SQLiteFile(configuration, isStill: true)
        return try SQLiteConnection(file, .reader, creates: false, StatementLimits(configuration))
    }

    private func unusable(_ reason: String) -> DatabaseError {
        .misconfigured("The backup \(backup) cannot be used: \(reason). The database is as it was.")
    }

    /// Gives the copy the owner and permissions of the database, so that the site's user can open what another
    /// restores.
    private func giveOwner(to copy: PartialFile) {
        var status = stat()
        if stat(path, &status) == 0 {
            chmod(copy.path, status.st_mode & 0o777)
        } else if stat(PartialFile.folder(of: path), &status) != 0 {
            return
        }
        // Only the superuser can; for everyone else it is the right one already.
        chown(copy.path, status.st_uid, status.st_gid)
    }

    // MARK: The exchange

    private func exchange(_ copy: PartialFile) throws(DatabaseError) -> String? {
        let isAgain = Self.wasInterrupted(path)
        // A folder that cannot be written to the disk is found out before anything has another name.
        try PartialFile.syncFolder(of: path)
        try Self.move(copy.path, to: Self.whole(path))
        try PartialFile.syncFolder(of: path)
        // The database goes after its logs: with its new name it has them all. Logs alone come from a restore that was
        // interrupted, and the database follows them.
        let parts = ["-wal", "-journal", ""].filter { access(path + $0, F_OK) == 0 }
        let old = isAgain ? nameOfLogs() ?? newName() : newName()
        for part in parts { try Self.move(path + part, to: old + part) }
        // The index of the log, which SQLite makes again for the old database.
        unlink(path + "-shm")
        try PartialFile.syncFolder(of: path)
        try Self.move(Self.whole(path), to: path)
        try PartialFile.syncFolder(of: path)
        if parts.isEmpty { return isAgain ? newestOld() : nil }
        return old
    }

    private static func move(_ path: String, to other: String) throws(DatabaseError) {
        guard rename(path, other) == 0 else { throw PartialFile.error(path) }
    }

    /// The endings that restores have given to old databases and their logs: `.before-20261124T081500Z-wal`.
    private func oldSuffixes() -> [String] {
        PartialFile.suffixes(of: path).filter { $0.utf8.starts(with: ".before-".utf8) }
    }

    /// The path of the old database whose log has this suffix; nil if it is the suffix of none.
    private func database(ofLog suffix: String) -> String? {
        for log in ["-wal", "-journal"] where suffix.utf8.suffix(log.utf8.count).elementsEqual(log.utf8) {
            return path + String(Substring(suffix.utf8.dropLast(log.utf8.count)))
        }
        return nil
    }

    /// The name that a restore which was interrupted has given to the logs of the old database, but not yet to it.
    private func nameOfLogs() -> String? {
        guard access(path, F_OK) == 0 else { return nil }
        return oldSuffixes().compactMap { database(ofLog: $0) }.first { access($0, F_OK) != 0 }
    }

    /// The old database to which a restore that was interrupted has given its name already: the newest one.
    private func newestOld() -> String? {
        // The names of logs, and of their index, end with a small letter.
        oldSuffixes().filter { ($0.utf8.last ?? 0) <= UInt8(ascii: "Z") }.max().map { path + $0 }
    }

    /// A name for the old database, with the time in UTC.
    private func newName() -> String {
        let time: String = Date.now.formatted(.iso8601)
        let name = path + ".before-" + time.filter { $0 != "-" && $0 != ":" }
        var number = 1
        var unused = name
        while ["", "-wal", "-journal"].contains(where: { access(unused + $0, F_OK) == 0 }) {
            number += 1
            unused = "\(name)-\(number)"
        }
        return unused
    }
}

/// The only use of a database's file: nobody, in this or another process, has or gets a connection to it meanwhile.
///
/// It takes SQLite's own lock without reading the file, which may be damaged. A connection with a write-ahead log has a
/// lock for as long as it is open. SQLite takes and releases the lock, because only it knows the other connections of
/// this process, whose locks would be gone if anybody else closed the file.
final class SoleUse {
    private let handle: OpaquePointer

    /// - Throws: ``DatabaseError/busy(_:)`` when somebody has a connection.
    init(of path: String) throws(DatabaseError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw DatabaseError(code: code, message: "the file cannot be opened", path: path)
        }
        handle = opened
        for level in [SQLITE_LOCK_SHARED, SQLITE_LOCK_EXCLUSIVE] {
            let code = SQLiteFile.lock(handle, level)
            if code == SQLITE_BUSY {
                throw .busy("a program uses \(path): stop the site and whatever else has the file open.")
            }
            guard code == SQLITE_OK else {
                throw DatabaseError(code: code, message: "the file cannot be locked", path: path)
            }
        }
    }

    deinit { sqlite3_close_v2(handle) }
}
