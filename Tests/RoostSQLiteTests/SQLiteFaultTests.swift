import Glibc
import Logging
import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

/// What may happen to the file: an error that names the cause, no acknowledged write lost, and recovery without a
/// restart.
@Suite("Faults of SQLite", .timeLimit(.minutes(5)))
struct SQLiteFaultTests {
    private static func count(_ database: Database) async throws -> Int? {
        try await database.first("SELECT count(*) FROM users", as: Int.self)
    }

    @Test func `a full disk: nothing acknowledged is lost, and it goes on when there is room`() async throws {
        try await Scratch.run { (database, _) async throws in
            let pages = try #require(try await database.first("PRAGMA page_count", as: Int.self))
            _ = try await database.first(SQL(unchecked: "PRAGMA max_page_count = \(pages + 4)"), as: Int.self)
            var acknowledged = 2
            var failure: DatabaseError?
            for number in 0..<1000 where failure == nil {
                do {
                    let name = "\(number)" + String(repeating: "x", count: 500)
                    try await database.execute("INSERT INTO users (name) VALUES (\(name))")
                    acknowledged += 1
                } catch let error as DatabaseError { failure = error }
            }
            guard case .full = failure else { Issue.record("\(String(describing: failure))"); return }
            #expect(try await Self.count(database) == acknowledged)
            _ = try await database.first("PRAGMA max_page_count = 1000000", as: Int.self)
            try await database.execute("INSERT INTO users (name) VALUES ('room')")
            #expect(try await Self.count(database) == acknowledged + 1)
        }
    }

    @Test func `a mistake that waiting does not fix stops the start, which works once it is fixed`() async throws {
        let faults: [(sentence: String, make: (Scratch) throws -> Void)] = [
            ("file is not a database", { try Self.write(String(repeating: "none ", count: 1000), to: $0.path) }),
            ("cannot be opened: Is a directory", { mkdir($0.path, 0o700) }),
            ("cannot be used: No such file or directory", { $0.remove() }),
            (
                "cannot be used: Not a directory",
                {
                    $0.remove()
                    try Self.write("", to: $0.folder)
                }
            ),
        ]
        for (sentence, make) in faults {
            let scratch = try Scratch()
            defer { scratch.remove() }
            try make(scratch)
            let lines = LogLines(.debug)
            let database = scratch.database(logger: lines.logger)
            let error = await #expect(throws: StartError.self) { try await database.start() }
            let text = error?.description ?? ""
            #expect(text.contains(scratch.path) && text.contains(sentence) && text.contains("DATABASE_URL"), "\(text)")
            #expect(lines.allWithLevels == [])
            for path in [scratch.path, scratch.folder] {
                rmdir(path)
                unlink(path)
            }
            mkdir(scratch.folder, 0o700)
            try await database.start()
            try await database.execute("CREATE TABLE users (id)")
            await database.stop()
        }
    }

    @Test func `a file that stops being a database under a running site, until it is one again`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            for suffix in ["", "-wal", "-shm"] { rename(scratch.path + suffix, scratch.path + suffix + ".away") }
            try Self.write(String(repeating: "no database ", count: 1000), to: scratch.path)
            // This statement notices it.
            await #expect(throws: DatabaseError.self) { try await database.execute("UPDATE users SET name = name") }
            let corrupt = DatabaseError.corrupt("file is not a database (\(scratch.path))")
            await #expect(throws: corrupt) { try await database.execute("DELETE FROM users") }
            await #expect(throws: corrupt) { try await Self.count(database) }
            for suffix in ["", "-wal", "-shm"] { rename(scratch.path + suffix + ".away", scratch.path + suffix) }
            try await database.execute("INSERT INTO users (name) VALUES ('Ada')")
            #expect(try await Self.count(database) == 3)
        }
    }

    @Test func `a file that is removed under a running site loses no acknowledged write`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            for suffix in ["", "-wal", "-shm"] { rename(scratch.path + suffix, scratch.path + suffix + ".away") }
            await #expect(throws: DatabaseError.self) { try await database.execute("DELETE FROM users WHERE id = 1") }
            // It is not created again: an empty database would look like lost data.
            await #expect(throws: DatabaseError.self) { try await database.execute("DELETE FROM users WHERE id = 1") }
            await #expect(throws: DatabaseError.self) {
                try await database.transaction { try await $0.execute("DELETE FROM users") }
            }
            await #expect(throws: DatabaseError.self) { try await Self.count(database) }
            for suffix in ["", "-wal", "-shm"] { rename(scratch.path + suffix + ".away", scratch.path + suffix) }
            try await database.execute("INSERT INTO users (name) VALUES ('Ada')")
            #expect(try await database.first("SELECT name FROM users WHERE id = 3", as: String.self) == "Ada")
        }
    }

    @Test func `a damaged file is found by the check`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            try await database.execute("CREATE TABLE pets (owner INT REFERENCES users)")
            #expect(try await driver.check() == [])
            let other = scratch.database()
            try await other.start()
            await other.stop()
            try await database.execute("PRAGMA foreign_keys = OFF")
            try await database.execute("INSERT INTO pets VALUES (7)")
            #expect(try await driver.check() == ["row 1 of pets refers to a row of users that does not exist"])
            await database.stop()
            let file = try #require(fopen(scratch.path, "r+"))
            fseek(file, 4096, SEEK_SET)
            fwrite([UInt8](repeating: 0xA5, count: 4096), 1, 4096, file)
            fclose(file)
            try await database.start()
            await #expect(throws: DatabaseError.self) { try await database.query("SELECT * FROM users", as: User.self) }
            let faults = try await driver.check()
            #expect(!faults.isEmpty)
        }
    }

    @Test func `a backup is whole while others write, and replaces nothing`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            try await database.execute(
                """
                WITH RECURSIVE n(i) AS (VALUES (3) UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
                INSERT INTO users (id, name) SELECT i, 'name ' || i FROM n
                """
            )
            let path = scratch.folder + "/copy.sqlite"
            async let writing: Void = {
                for number in 0..<50 { try await database.execute("INSERT INTO users (name) VALUES (\("w\(number)"))") }
            }()
            try await driver.backUp(to: path)
            try await writing
            await #expect(throws: DatabaseError.invalidValue("\(path) exists; name a new file.")) {
                try await driver.backUp(to: path)
            }
            let copy = Database(SQLiteDriver(SQLiteConfiguration(path: path)))
            try await copy.start()
            let count = try #require(try await Self.count(copy))
            #expect((50_000...50_050).contains(count))
            #expect(try await (copy.driver as? SQLiteDriver)?.check() == [])
            await copy.stop()
            await #expect(throws: DatabaseError.self) { try await driver.backUp(to: "/nonexistent/copy.sqlite") }
            #expect(scratch.names.filter { $0.hasSuffix(".partial") }.isEmpty)
        }
    }

    @Test func `a driver that creates no file reports that it is missing`() async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let database = scratch.database({ $0.createsFile = false })
        let driver = try #require(database.driver as? SQLiteDriver)
        try await database.start()
        await #expect(throws: DatabaseError.self) { try await driver.check() }
        await #expect(throws: DatabaseError.self) { try await driver.backUp(to: scratch.folder + "/copy.sqlite") }
        await #expect(throws: DatabaseError.self) { try await database.ping() }
        #expect(access(scratch.path, F_OK) != 0)
        await database.stop()
    }

    @Test func `a backup does not touch what another backup to the same file has written`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            let path = scratch.folder + "/copy.sqlite"
            // What another backup to the same file has written so far.
            try Self.write("half", to: path + ".partial")
            try await driver.backUp(to: path)
            let other = try #require(fopen(path + ".partial", "r"))
            fclose(other)
            let copy = Database(SQLiteDriver(SQLiteConfiguration(path: path)))
            try await copy.start()
            #expect(try await Self.count(copy) == 2)
            await copy.stop()
        }
    }

    static func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }
}
