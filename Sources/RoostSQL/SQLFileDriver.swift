/// The access of a program to a database that is a file.
public enum SQLFileAccess: Sendable {
    /// It reads, and changes no byte of the file and of its write-ahead log, also when it closes it.
    case reading
    /// It reads and writes a file that exists; a missing one is an error, so that a wrong path is found out.
    case writing
    /// It reads and writes, and creates a missing file, which only its owner may then use.
    case creating
}

/// A driver whose database is a file on this machine: it can be copied, checked and restored without any other program.
public protocol SQLFileDriver: SQLDriver {
    /// The path of the file; nil for a database in memory.
    var path: String? { get }

    /// Whether there is no file at the path, and none that a restore was about to put there.
    var isMissing: Bool { get }

    /// Returns another driver of the same file, which is not started.
    func opening(for access: SQLFileAccess) -> any SQLFileDriver

    /// Copies the current state of the database into a new file, while others read and write.
    /// - Throws: ``DatabaseError``; no partial file is left in that case.
    func backUp(to path: String) async throws

    /// Reads the whole file and checks it.
    /// - Returns: The faults as sentences; empty when there are none.
    func check() async throws -> [String]

    /// Puts a backup in the place of the database, which no program may have open; this driver is not started.
    /// - Returns: The path that the old database has now; nil when there was none.
    /// - Throws: ``DatabaseError``; the database is then as it was.
    func restore(from backup: String) async throws -> String?
}
