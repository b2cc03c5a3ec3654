import Glibc
import Logging
import RoostSQL
import RoostSQLite
import RoostTesting

/// A database in its own folder, which is removed afterwards. It is not in `/tmp`: that is often tmpfs, which cannot
/// tell what is in memory, so nothing would be read on an event loop.
struct Scratch: Sendable {
    let folder: String
    var path: String { folder + "/test.sqlite" }

    /// Runs a test with a started database that has a table `users (id, name UNIQUE)` with two rows.
    static func run(
        _ configure: (inout SQLiteConfiguration) -> Void = { _ in },
        _ databaseConfiguration: DatabaseConfiguration = DatabaseConfiguration(timeout: .seconds(3600)),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        _ body: (Database, Scratch) async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let database = scratch.database(configure, databaseConfiguration, logger: logger)
        try await database.start()
        do {
            try await database.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
            try await database.execute("INSERT INTO users (name) VALUES ('Nelson'), ('Cathy')")
            try await body(database, scratch)
        } catch {
            await database.stop()
            throw error
        }
        await database.stop()
    }

    init() throws {
        var template = Array("/var/tmp/roost-sqlite-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw DatabaseError.unavailable("mkdtemp") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Another database on the same file, not started.
    func database(
        _ configure: (inout SQLiteConfiguration) -> Void = { _ in },
        _ databaseConfiguration: DatabaseConfiguration = DatabaseConfiguration(timeout: .seconds(3600)),
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) -> Database {
        // With many other tests, a task may wait long for its thread.
        var configuration = SQLiteConfiguration(path: path)
        configuration.transactionTimeout = .seconds(3600)
        configuration.busyTimeout = .seconds(3600)
        configure(&configuration)
        return Database(
            SQLiteDriver(configuration, logger: logger),
            configuration: databaseConfiguration,
            logger: logger
        )
    }

    /// The files in the folder.
    var names: [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            )
        }
        return names
    }

    /// The size of the write-ahead log, in bytes.
    var logSize: Int {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    func remove() {
        for name in names { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}

extension Database {
    /// Runs a body while an idle transaction keeps the writer from all other work.
    func whileWriterIsHeld(_ body: () async throws -> Void) async throws {
        let begun = Latch()
        let end = Latch()
        async let holding: Void = transaction { _ in
            begun.open()
            await end.wait()
        }
        await begun.wait()
        do {
            try await body()
        } catch {
            end.open()
            try await holding
            throw error
        }
        end.open()
        try await holding
    }
}

/// Runs something in a task that is in no transaction, even if this one is in one.
@discardableResult
func apart<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task.detached { try await body() }.value
}

struct User: Codable, Equatable, Sendable {
    let id: Int
    let name: String
}
