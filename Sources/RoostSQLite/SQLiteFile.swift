internal import CSQLite
import Glibc
internal import RoostSQL
import Synchronization

/// The file that all threads share.
final class SQLiteFile: Sendable {
    let configuration: SQLiteConfiguration
    /// Whether it has been open once: after that, a missing file is an error and not a new database.
    let hasBeenOpen = Atomic(false)
    /// Counts how often the file has turned out to be a different one; older connections are then closed.
    let generation = Atomic(0)
    /// Counts the commits: a view of the data that was taken before one is outdated.
    let commits = Atomic(0)

    /// Whether SQLite counts no memory, as nobody asks for it; false if something else has used SQLite before.
    private static let countsNoMemory = sqlite3_count_no_memory() == SQLITE_OK

    /// Whether there was a log, or a journal of a transaction that must be undone, when the program began. All
    /// connections are opened alike: which closes last is not known.
    private let hasLog: Bool
    /// Whether nobody else writes to it, so that it can be read without a lock, and so without a file beside it.
    private let isStill: Bool
    /// Whether another file may take its place, as a restore does.
    var canBeReplaced: Bool { !isStill && !configuration.isInMemory }

    /// The name and the flags with which SQLite opens the file.
    ///
    /// The last connection that closes a file writes its log into it, unless it can only read. Without a log there is
    /// nothing to be written, and a connection that could write removes the empty log that it needs meanwhile.
    var opening: (name: String, flags: Int32) {
        let path = configuration.path
        guard configuration.access == .reading else { return (path, SQLITE_OPEN_READWRITE) }
        if hasLog { return (path, SQLITE_OPEN_READONLY) }
        guard isStill else { return (path, SQLITE_OPEN_READWRITE) }
        // https://sqlite.org/uri.html
        let escapes: [UInt8: String] = [UInt8(ascii: "%"): "%25", UInt8(ascii: "?"): "%3f", UInt8(ascii: "#"): "%23"]
        let name = path.utf8.reduce(into: [UInt8]()) { $0 += escapes[$1].map { Array($0.utf8) } ?? [$1] }
        let uri = "file:\(String(decoding: name, as: UTF8.self))?immutable=1"
        return (uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }

    init(_ configuration: SQLiteConfiguration, isStill: Bool = false) {
        _ = Self.countsNoMemory
        self.isStill = isStill
        let real = SQLiteDriver.realPath(configuration.path)
        hasLog = ["-wal", "-journal"].contains { access(real + $0, F_OK) == 0 }
        self.configuration = configuration
    }

    /// Takes SQLite's own lock on the file of a connection, without waiting for it and without reading the file.
    /// - Returns: SQLite's result code.
    static func lock(_ handle: OpaquePointer, _ level: Int32) -> Int32 {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file, let lock = file.pointee.pMethods.pointee.xLock else { return SQLITE_ERROR }
        return lock(file, level)
    }
}

/// The identity of the file that a path leads to, as the system knows it.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
