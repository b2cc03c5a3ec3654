import Glibc
import Roost
public import RoostSQL

/// A place for accounts, certificates with their keys, and challenges: small texts with names. It holds secrets.
///
/// Instances that share it order one certificate, which all of them use.
public protocol CertificateStorage: Sendable {
    /// Prepares the storage.
    /// - Throws: `StartError` for a place that cannot be used.
    func open() async throws

    /// Returns the text with a name; nil if there is none.
    func read(_ name: String) async throws -> [UInt8]?

    /// Stores a text atomically: at any moment, there is the old one or the new one, and the new one once this returns.
    /// - Parameter name: Letters, digits, `.`, `-` and `_`; the first is a letter or a digit.
    func write(_ text: [UInt8], as name: String) async throws

    /// Removes the text with a name, if there is one.
    func remove(_ name: String) async throws

    /// Runs work that only one instance at a time may do; returns nil without running it if another one is doing it.
    /// The work takes less than ten minutes.
    func alone<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value?
}

/// A folder for accounts, certificates and challenges (mode 0700), a file for each (mode 0600), such as
/// `DATA_DIR/acme`. Programs on one machine may share it.
package struct FolderCertificateStorage: CertificateStorage {
    private let path: String

    /// A storage in the folder at a path, which ``open()`` creates.
    package init(_ path: String) { self.path = path }

    /// Creates the folder and those above it, as far as they are missing.
    /// - Throws: `StartError` when that cannot be done, or nothing can be written there.
    package func open() async throws {
        let path = path
        try await offload {
            FolderPath.create(path)
            guard access("\(path)/.", R_OK | W_OK | X_OK) == 0 else {
                throw StartError.configuration(
                    "TLS=auto keeps certificates in the folder \(path), which cannot be used "
                        + "(\(String(cString: strerror(errno)))): let DATA_DIR be a folder that the program's user may "
                        + "write to.")
            }
        }
    }

    /// Reads a file.
    package func read(_ name: String) async throws -> [UInt8]? {
        let path = file(name)
        return try await offload {
            if let bytes = PEMFile.bytes(of: path, O_NOFOLLOW) { return bytes }
            guard errno == ENOENT else { throw Self.failure(path) }
            return nil
        }
    }

    /// Writes a file beside the old one, waits until the disk has it, and lets it take the old one's name.
    package func write(_ text: [UInt8], as name: String) async throws {
        let (path, folder) = (file(name), path)
        try await offload {
            let new = "\(path).\(getpid()).new"
            unlink(new)
            let file = Glibc.open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Self.failure(path) }
            Self.giveToOwner(of: folder, file)
            let isWritten = Self.write(text, to: file) && fsync(file) == 0
            guard close(file) == 0, isWritten, rename(new, path) == 0 else {
                let failure = Self.failure(path)
                unlink(new)
                throw failure
            }
            let parent = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard parent >= 0 else { return }
            fsync(parent)
            close(parent)
        }
    }

    /// Removes a file.
    package func remove(_ name: String) async throws {
        let path = file(name)
        try await offload {
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure(path) }
        }
    }

    /// Holds a lock on the file `lock` meanwhile, which goes away with the process.
    package func alone<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value? {
        let file = Glibc.open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("\(path)/lock") }
        defer { close(file) }
        Self.giveToOwner(of: path, file)
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return nil }
        // To close the file is not enough while a process that is being started has it, too.
        defer { flock(file, LOCK_UN) }
        return try await work()
    }

    private func file(_ name: String) -> String { "\(path)/\(name)" }

    /// An administrator may give the command `certificates renew`: the site's user must be able to read what it makes.
    private static func giveToOwner(of folder: String, _ file: Int32) {
        var facts = stat()
        if geteuid() == 0, stat(folder, &facts) == 0 { _ = fchown(file, facts.st_uid, facts.st_gid) }
    }

    private static func write(_ text: [UInt8], to file: Int32) -> Bool {
        var rest = text[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func failure(_ path: String) -> ACMEProblem {
        ACMEProblem("\(path): \(String(cString: strerror(errno))).")
    }
}

/// Tables for accounts, certificates and challenges, for any number of instances that share the database.
/// ``migrations`` make them. Anybody who may read the database can read the private keys.
public struct SQLCertificateStorage: CertificateStorage {
    private let database: Database

    /// A storage in a database.
    public init(_ database: Database) { self.database = database }

    /// The migrations that make the tables, for the program's own list.
    public static var migrations: [Migration] {
        [
            Migration(
                "certificates",
                sql: """
                    CREATE TABLE certificate_texts (name TEXT PRIMARY KEY, content TEXT NOT NULL);
                    CREATE TABLE certificate_locks (
                        name TEXT PRIMARY KEY, holder BIGINT NOT NULL, held_until BIGINT NOT NULL);
                    """)
        ]
    }

    /// Does nothing: the database may come later.
    public func open() {}

    /// Reads a row.
    public func read(_ name: String) async throws -> [UInt8]? {
        try await database.first("SELECT content FROM certificate_texts WHERE name = \(name)", as: String.self)
            .map { Array($0.utf8) }
    }

    /// Writes a row.
    public func write(_ text: [UInt8], as name: String) async throws {
        let content = String(decoding: text, as: UTF8.self)
        try await database.execute(
            """
            INSERT INTO certificate_texts (name, content) VALUES (\(name), \(content))
            ON CONFLICT (name) DO UPDATE SET content = excluded.content
            """
        )
    }

    /// Deletes a row.
    public func remove(_ name: String) async throws {
        try await database.execute("DELETE FROM certificate_texts WHERE name = \(name)")
    }

    /// Runs work while it holds a row in the table of locks, for ten minutes if the instance is killed.
    public func alone<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value? {
        let holder = Int.random(in: 1...Int.max)
        let count = try await database.execute(
            """
            INSERT INTO certificate_locks (name, holder, held_until) VALUES ('order', \(holder), \(clock) + 600)
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
            WHERE certificate_locks.held_until < \(clock)
            """
        )
        guard count == 1 else { return nil }
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        // Also when this task has been cancelled: otherwise the others would wait for the ten minutes.
        _ = try? await toTheEnd { try await database.execute("DELETE FROM certificate_locks WHERE holder = \(holder)") }
        return try result.get()
    }

    /// The database's clock, in seconds since 1970.
    private var clock: SQL {
        database.dialect == .sqlite
            ? "CAST(strftime('%s', 'now') AS INTEGER)" : "CAST(extract(epoch FROM now()) AS BIGINT)"
    }
}
