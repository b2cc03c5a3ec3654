import Glibc
import Logging
import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

/// Faults of the file: each gives an error that names the cause, loses no acknowledged write, and needs no
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

    @Test(arguments: [false, true])
    func `a file that is replaced: what was written into the old one is refused, and the next write finds the new one`(
        inTransaction: Bool
    ) async throws {
        try await Scratch.run { (database, scratch) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            let copy = scratch.folder + "/copy.sqlite"
            try await driver.backUp(to: copy)
            for suffix in ["", "-wal", "-shm"] { rename(scratch.path + suffix, scratch.path + suffix + ".away") }
            rename(copy, scratch.path)
            let write = {
                guard inTransaction else { return _ = try await database.execute("PRAGMA user_version = 7") }
                _ = try await database.transaction { try await $0.execute("PRAGMA user_version = 7") }
            }
            await #expect(throws: DatabaseError.self) { try await write() }
            #expect(try await database.first("PRAGMA user_version", as: Int.self) == 0)
            try await write()
            #expect(try await database.first("PRAGMA user_version", as: Int.self) == 7)
        }
    }

    @Test func `a database that cannot have a write-ahead log stops the start`() async throws {
        // SQLite makes a temporary file for an empty path, which stays in the mode that it is in.
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: "")))
        let error = await #expect(throws: StartError.self) { try await database.start() }
        #expect(error?.description.contains("write-ahead log") == true)
        await database.stop()
    }

    @Test func `a second connection leaves the locks of the first one alone`() async throws {
        try await Scratch.run { (_, scratch) async throws in
            // Never closed while it matters: to close any descriptor of the file releases the locks on it.
            let file = open(scratch.path, O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            #expect(Self.isLocked(file))
            let other = scratch.database()
            try await other.start()
            #expect(Self.isLocked(file))
            #expect(try await Self.count(other) == 2)
            #expect(Self.isLocked(file))
            await other.stop()
            #expect(Self.isLocked(file))
        }
    }

    /// Whether somebody, this process included, has the lock that SQLite holds for as long as a connection is open.
    private static func isLocked(_ file: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // SQLite's SHARED range, https://sqlite.org/src/file/src/os.h
        (lock.l_start, lock.l_len) = (0x4000_0002, 510)
        // F_OFD_GETLK, which Glibc's module lacks: unlike F_GETLK it also sees the locks of this process.
        return fcntl(file, 36, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    @Test(arguments: [false, true])
    func `a driver that only reads changes no byte, also after a crash`(crashed: Bool) async throws {
        try await Scratch.run { (database, scratch) async throws in
            let other = try Scratch()
            defer { other.remove() }
            if !crashed { await database.stop() }
            // What a crash leaves: the file, and a log that is not in it yet.
            for suffix in crashed ? ["", "-wal", "-shm"] : [""] {
                try Self.write(Self.bytes(scratch.path + suffix), to: other.path + suffix)
            }
            if crashed { await database.stop() }
            let before = try Self.contents(other)
            let reading = other.database({ $0.access = .reading })
            try await reading.start()
            #expect(try await Self.count(reading) == 2)
            #expect(try await (reading.driver as? SQLiteDriver)?.check() == [])
            try await (reading.driver as? SQLiteDriver)?.backUp(to: scratch.folder + "/copy.sqlite")
            for write in ["DELETE FROM users", "PRAGMA user_version = 7"] {
                await #expect(throws: DatabaseError.self) { try await reading.execute(SQL(unchecked: write)) }
            }
            await #expect(throws: DatabaseError.self) {
                try await reading.transaction { try await $0.execute("DELETE FROM users") }
            }
            await reading.stop()
            #expect(try Self.contents(other) == before)
        }
    }

    /// The files of a folder, without the bytes of the log's index, in which readers note what they use.
    private static func contents(_ scratch: Scratch) throws -> [String: [UInt8]] {
        let names = scratch.names.filter { $0.hasPrefix("test.sqlite") }
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, name.hasSuffix("-shm") ? [] : try bytes(scratch.folder + "/" + name))
            })
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte >= 0 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    @Test func `a driver that creates no file reports that it is missing`() async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let database = scratch.database({ $0.access = .writing })
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
