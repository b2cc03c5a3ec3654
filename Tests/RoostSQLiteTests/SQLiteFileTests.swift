import Glibc
import Roost
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import RoostSQLite

/// The file of a database, the names that lead to it, and its log.
@Suite("The file of SQLite", .timeLimit(.minutes(5)))
struct SQLiteFileTests {
    private static func count(_ database: Database) async throws -> Int? {
        try await database.first("SELECT count(*) FROM users", as: Int.self)
    }

    /// Runs a test with a database whose path is a link to another link, whose target does not exist.
    private static func withLink(
        to target: String, _ body: (Database, Scratch, _ real: String) async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        symlink(target, scratch.folder + "/other")
        symlink("other", scratch.path)
        let database = scratch.database()
        try await body(database, scratch, scratch.folder + "/real.sqlite")
        await database.stop()
        var status = stat()
        #expect(lstat(scratch.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func `a link that leads to nothing yet is where the file is created`() async throws {
        try await Self.withLink(to: "real.sqlite") { (database, _, real) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            #expect(driver.isMissing)
            try await database.start()
            try await database.execute("CREATE TABLE users (id INT)")
            #expect(try await Self.count(database) == 0)
            #expect(access(real, F_OK) == 0 && !driver.isMissing)
        }
    }

    @Test func `a slash before a combining mark is one, too`() async throws {
        // To Swift, the two are another character.
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folder = scratch.folder + "/x"
        mkdir(folder, 0o700)
        symlink("real.sqlite", folder + "/\u{301}db")
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: folder + "/\u{301}db")))
        try await database.start()
        try await database.execute("CREATE TABLE users (id INT)")
        let driver = try #require(database.driver as? SQLiteDriver)
        #expect(access(folder + "/real.sqlite", F_OK) == 0 && !driver.isMissing)
        #expect(access(scratch.folder + "/real.sqlite", F_OK) != 0)
        await database.stop()
    }

    @Test func `a restore follows a link that leads to nothing, also when it was interrupted`() async throws {
        try await Scratch.run { (original, other) async throws in
            let backup = other.folder + "/backup.sqlite"
            try await (original.driver as? SQLiteDriver)?.backUp(to: backup)
            try await Self.withLink(to: "./real.sqlite") { (database, scratch, real) async throws in
                let driver = try #require(database.driver as? SQLiteDriver)
                try SQLiteFaultTests.write(SQLiteFaultTests.bytes(backup), to: real + ".restoring")
                #expect(!driver.isMissing)
                let error = await #expect(throws: StartError.self) { try await database.start() }
                #expect(error?.description.contains("was interrupted") == true)
                #expect(try SQLiteRestore(of: backup, to: scratch.path).run() == nil)
                #expect(access(real, F_OK) == 0 && access(real + ".restoring", F_OK) != 0)
                try await database.start()
                #expect(try await Self.count(database) == 2)
            }
        }
    }

    @Test func `a damaged file is not copied, and one with a row that is not allowed is`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            try await database.execute("CREATE TABLE pets (age INT CHECK (age > 0), owner INT REFERENCES users)")
            try await database.execute("PRAGMA ignore_check_constraints = ON")
            try await database.execute("PRAGMA foreign_keys = OFF")
            try await database.execute("INSERT INTO pets VALUES (0, 7)")
            #expect(try await !driver.check().isEmpty)
            try await driver.backUp(to: scratch.folder + "/first.sqlite")
            await database.stop()
            var bytes = try SQLiteFaultTests.bytes(scratch.path)
            for index in 4096..<8192 { bytes[index] = 0xA5 }
            try SQLiteFaultTests.write(bytes, to: scratch.path)
            try await database.start()
            let error = await #expect(throws: DatabaseError.self) {
                try await driver.backUp(to: scratch.folder + "/second.sqlite")
            }
            #expect(error?.description.hasPrefix("The database is damaged: ") == true)
            let end = ", in \(scratch.path) or in its copy, \(scratch.folder)/second.sqlite"
            #expect(error?.description.contains(end) == true, "\(String(describing: error))")
            #expect(scratch.names.allSatisfy { !$0.hasPrefix("second") }, "\(scratch.names)")
        }
    }

    /// As the tables of programs that give SQLite functions of their own, such as Django's REGEXP.
    @Test(arguments: ["CHECK (length(name) > 0)", ", size INT NOT NULL AS (length(name))"])
    func `a file with a function that the program does not have is copied`(use: String) async throws {
        try await Scratch.run { (database, scratch) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            try await database.execute(SQL(unchecked: "CREATE TABLE pets (name TEXT \(use))"))
            await database.stop()
            var bytes = try SQLiteFaultTests.bytes(scratch.path)
            let index = try #require(bytes.indices.first { bytes[$0...].starts(with: "length(".utf8) })
            bytes.replaceSubrange(index..<index + 6, with: "foreign".utf8.prefix(6))
            try SQLiteFaultTests.write(bytes, to: scratch.path)
            try await database.start()
            let copy = scratch.folder + "/copy.sqlite"
            try await driver.backUp(to: copy)
            #expect(access(copy, F_OK) == 0)
            guard use.utf8.starts(with: "CHECK".utf8) else { return }
            // Its pages are looked at nevertheless.
            await database.stop()
            for index in 4096..<8192 { bytes[index] = 0xA5 }
            try SQLiteFaultTests.write(bytes, to: scratch.path)
            try await database.start()
            await #expect(throws: DatabaseError.self) { try await driver.backUp(to: copy + "2") }
        }
    }

    @Test func `a schema that this SQLite cannot read may be that of a newer one`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            try await database.execute("CREATE VIEW v AS SELECT 7")
            await database.stop()
            var bytes = try SQLiteFaultTests.bytes(scratch.path)
            let index = try #require(bytes.indices.first { bytes[$0...].starts(with: "SELECT 7".utf8) })
            bytes[index] = UInt8(ascii: "X")
            try SQLiteFaultTests.write(bytes, to: scratch.path)
            let error = await #expect(throws: StartError.self) { try await database.start() }
            #expect(error?.description.contains("If a newer SQLite than this one (") == true)
        }
    }

    @Test func `a link to itself, or into a folder that is not there, stops the start`() async throws {
        for target in ["test.sqlite", "none/real.sqlite"] {
            try await Self.withLink(to: target) { (database, _, _) async throws in
                await #expect(throws: StartError.self) { try await database.start() }
            }
        }
    }

    @Test(arguments: [
        ("/nowhere/", "No such file or directory"), ("/dev/null/", "Not a directory"),
    ])
    func `a folder that cannot be written to the disk says why`(folder: String, reason: String) {
        #expect(throws: DatabaseError.unavailable("\(folder): \(reason)")) {
            try PartialFile.syncFolder(of: folder + "nests.sqlite")
        }
    }

    @Test func `the log begins anew although somebody reads whenever something is written`() async throws {
        let clock = SteppingClock()
        // The wait for readers is as long as a busy machine needs.
        try await Scratch.run({ ($0.now, $0.maximumLog) = (clock.read, 0) }) { (database, scratch) async throws in
            func insert(_ count: Int) async throws {
                let rows: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
                try await database.execute("\(rows) INSERT INTO users (name) SELECT hex(randomblob(500)) FROM n")
            }
            try await insert(1000)
            clock.advance(by: .seconds(60))
            let reader = database.stream("SELECT id FROM users ORDER BY id", as: Int.self).makeAsyncIterator()
            #expect(try await reader.next() == 1)
            try await insert(3000)
            let size = scratch.logSize
            while try await reader.next() != nil {}
            try await insert(1)
            #expect(scratch.logSize < size / 10, "\(scratch.logSize) of \(size)")
            #expect(try await Self.count(database) == 4003)
        }
    }

    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    /// A fiftieth of 500 ms are 4 waits, a fifth are 13.
    @Test(arguments: [(300, false, 4), (3000, false, 4 + 13), (3000, true, 4)])
    func `for a log that is far too long, another process that writes is waited for longer, but no reader`(
        pages: Int, isReading: Bool, waits: Int
    ) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let (counter, time) = (Counter(), ContinuousClock.now)
        var configuration = SQLiteConfiguration(path: scratch.path)
        (configuration.maximumLog, configuration.busyTimeout) = (1 << 20, .milliseconds(500))
        configuration.now = {
            counter.count.add(1, ordering: .relaxed)
            return time
        }
        let (own, other) = (
            SQLiteSession(SQLiteFile(configuration), .writer), SQLiteSession(SQLiteFile(configuration), .writer)
        )
        let connection = try own.connection()
        try connection.execute("CREATE TABLE eggs (shell BLOB)")
        if isReading {
            try other.connection().execute("BEGIN")
            try other.connection().execute("SELECT count(*) FROM eggs")
        }
        try connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(pages)) "
                + "INSERT INTO eggs SELECT randomblob(4000) FROM n")
        if !isReading { try other.connection().execute("BEGIN IMMEDIATE") }
        // Before each pause, the deadline of what waits is looked at.
        own.limits.waiting = [SQLiteWork(deadline: time + .seconds(60)) { _ in }]
        let before = counter.count.load(ordering: .relaxed)
        own.limitLog(time)
        #expect(counter.count.load(ordering: .relaxed) - before == waits)
        other.close()
        own.close()
    }

    @Test func `after an error in a transaction that may be the connection's, the next one has another`() async throws {
        try await Scratch.run { (database, _) async throws in
            await #expect(throws: DatabaseError.self) {
                try await database.transaction { transaction in
                    try await transaction.execute("PRAGMA query_only = ON")
                    try await transaction.execute("DELETE FROM users")
                }
            }
            #expect(try await database.execute("DELETE FROM users") == 2)
        }
    }

    @Test(arguments: [false, true])
    func `what was written into a file that has been moved away may have taken effect`(
        inTransaction: Bool
    ) async throws {
        try await Scratch.run { (database, scratch) async throws in
            for suffix in ["", "-wal", "-shm"] { rename(scratch.path + suffix, scratch.path + suffix + ".away") }
            let unknown = DatabaseError.outcomeUnknown("the file was removed or replaced (\(scratch.path)).")
            await #expect(throws: unknown) {
                guard inTransaction else { return _ = try await database.execute("DELETE FROM users WHERE id = 1") }
                _ = try await database.transaction { try await $0.execute("DELETE FROM users WHERE id = 1") }
            }
            for suffix in ["", "-wal", "-shm"] { rename(scratch.path + suffix + ".away", scratch.path + suffix) }
            #expect(try await Self.count(database) == 1)
        }
    }

    @Test(arguments: [
        ("/test.sqlite", false, true), ("/none/test.sqlite", false, false), ("/none/test.sqlite", true, true),
        ("/none/none/test.sqlite", true, false),
    ])
    func `whether a start can create the file is known without it`(
        name: String, makesFolder: Bool, isPossible: Bool
    ) async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        var configuration = SQLiteConfiguration(path: scratch.folder + name)
        configuration.makesFolder = makesFolder
        let driver = SQLiteDriver(configuration)
        if isPossible {
            try driver.checkCreation()
        } else {
            let checked = #expect(throws: StartError.self) { try driver.checkCreation() }
            let started = await #expect(throws: StartError.self) { try await driver.start() }
            #expect(checked?.description == started?.description)
        }
        #expect(scratch.names.count == 2)
    }
}
