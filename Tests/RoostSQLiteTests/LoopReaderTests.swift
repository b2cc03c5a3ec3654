import Glibc
import Roost
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import RoostSQLite

/// Queries that run on an event loop in place.
@Suite("Reads on a loop of SQLite", .timeLimit(.minutes(5)))
struct LoopReaderTests {
    private typealias Row = PlacedRow

    private static let million: SQL = """
        WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 1000000)
        SELECT count(*) AS id FROM n
        """

    @Test func `a short query runs in place, a long one elsewhere, and then the next short one in place`() async throws
    {
        try await Scratch.run { database, _ in
            try await Row.onLoop {
                try await Row.warm(database)
                let rows = try await database.query("SELECT id FROM users ORDER BY id", as: Row.self)
                #expect(rows.map(\.id) == [1, 2] && rows.allSatisfy(\.isOnLoop))
                for _ in 0..<2 {
                    let count = try await database.first(Self.million, as: Row.self)
                    #expect(count?.id == 1_000_000 && count?.isOnLoop == false)
                }
                #expect(try await database.first("SELECT id FROM users WHERE id = 2", as: Row.self)?.isOnLoop == true)
            }
        }
    }

    @Test func `without a budget, no query runs on a loop`() async throws {
        try await Scratch.run({ $0.maximumLoopSteps = 0 }) { database, _ in
            try await Row.onLoop {
                for _ in 0..<10 {
                    let row = try await database.first("SELECT id FROM users", as: Row.self)
                    #expect(row?.isOnLoop == false)
                }
            }
        }
    }

    @Test func `a schema of many tables, which takes long to read, keeps no query from a loop`() async throws {
        let tables = (1...1000).map { SQL(unchecked: "CREATE TABLE nests\($0) (id INTEGER PRIMARY KEY, tree TEXT)") }
        try await Scratch.run { database, _ in
            try await database.batch(tables)
            // It gives up after many queries.
            try await Row.onLoop { try await Row.warm(database) }
        }
    }

    @Test func `a query sees what was written before it, also in the same turn`() async throws {
        try await Scratch.run { database, _ in
            try await Row.onLoop {
                try await Row.warm(database)
                try await withThrowingTaskGroup { group in
                    // While these keep taking views of the data, each of these sees its own write.
                    for task in 0..<8 {
                        group.addTask {
                            for number in 0..<25 {
                                let id = 100 + task * 100 + number
                                try await database.execute("INSERT INTO users VALUES (\(id), \("name \(id)"))")
                                let row = try await database.first(
                                    "SELECT id FROM users WHERE id = \(id)", as: Row.self)
                                #expect(row?.id == id)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func `a query sees a transaction that was committed during its turn`() async throws {
        try await Scratch.run { database, _ in
            try await Row.onLoop {
                try await Row.warm(database)
                let (begun, end, committed) = (Latch(), CountingSemaphore(), CountingSemaphore())
                let other = Task.detached {
                    defer { committed.post() }
                    try await database.transaction { transaction in
                        try await transaction.execute("INSERT INTO users VALUES (100, 'Hedy')")
                        begun.open()
                        end.wait()
                    }
                }
                await begun.wait()
                // Nothing of this waits for another turn: the loop itself waits for the commit.
                let before = try await database.first("SELECT count(id) AS id FROM users", as: Row.self)
                end.post()
                committed.wait()
                let after = try await database.first("SELECT count(id) AS id FROM users", as: Row.self)
                #expect(before?.id == 2 && after?.id == 3)
                #expect(before?.isOnLoop == true && after?.isOnLoop == true)
                try await other.value
            }
        }
    }

    @Test func `an error of the caller ends the query, which is not run again`() async throws {
        struct Oops: Error {}
        try await Scratch.run { database, _ in
            try await Row.onLoop {
                try await Row.warm(database)
                let calls = Atomic(0)
                await #expect(throws: Oops.self) {
                    _ = try await database.read("SELECT id FROM users", into: 0) { _, _ in
                        calls.add(1, ordering: .relaxed)
                        throw Oops()
                    }
                }
                #expect(calls.load(ordering: .relaxed) == 1)
                #expect(try await database.first("SELECT id FROM users", as: Row.self)?.isOnLoop == true)
            }
        }
    }

    @Test func `a query that has no time at all is refused here, too`() async throws {
        try await Scratch.run { database, _ in
            try await Row.onLoop {
                try await Row.warm(database)
                let hasty = Database(database.driver, configuration: DatabaseConfiguration(timeout: .zero))
                await #expect(throws: DatabaseError.timeout("the statement waited too long for its turn.")) {
                    try await hasty.first("SELECT id FROM users", as: Row.self)
                }
            }
        }
    }

    @Test func `a query that changes something goes to the writer`() async throws {
        try await Scratch.run { database, _ in
            try await Row.onLoop {
                try await Row.warm(database)
                for id in 10..<13 {
                    let sql: SQL = "WITH n AS (SELECT 1) INSERT INTO users VALUES (\(id), \("\(id)")) RETURNING id"
                    #expect(try await database.first(sql, as: Row.self)?.isOnLoop == false)
                }
                #expect(try await database.query("SELECT id FROM users", as: Row.self).count == 5)
            }
        }
    }

    @Test func `a mistake in a statement is told as elsewhere`() async throws {
        try await Scratch.run { database, _ in
            try await Row.onLoop {
                try await Row.warm(database)
                for _ in 0..<2 {
                    await #expect(throws: DatabaseError.self) {
                        try await database.first("SELECT x FROM y", as: Row.self)
                    }
                }
                #expect(try await database.first("SELECT id FROM users", as: Row.self)?.isOnLoop == true)
            }
        }
    }

    @Test func `a file that is replaced is opened again`() async throws {
        try await Scratch.run { database, scratch in
            try await Row.onLoop {
                try await Row.warm(database)
                for suffix in ["", "-wal", "-shm"] { unlink(scratch.path + suffix) }
                await #expect(throws: DatabaseError.self) { try await database.execute("DELETE FROM users") }
                let other = scratch.database()
                try await other.start()
                try await other.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
                try await other.execute("INSERT INTO users (id, name) VALUES (7, 'Ada')")
                #expect(try await database.first("SELECT id FROM users", as: Row.self)?.id == 7)
                try await Row.warm(database)
                #expect(try await database.first("SELECT id FROM users", as: Row.self)?.id == 7)
                await other.stop()
            }
        }
    }

    /// The system need not drop a file from memory, and may read by itself what it has dropped: one try of five is
    /// enough.
    @Test func `what is not in memory is read elsewhere, and the rest goes on in place`() async throws {
        try await Scratch.run({ $0.maximumLoopSteps = 1_000_000 }) { database, scratch in
            try await Self.fill(database)
            let tries = Mutex((dropped: 0, elsewhere: 0))
            for _ in 0..<5 where tries.withLock({ $0.elsewhere == 0 }) {
                await database.stop()
                // While it is closed: closing another descriptor of the file would end its locks.
                Self.dropFromMemory(scratch.path)
                try await database.start()
                try await Row.onLoop {
                    try await Row.warm(database)
                    if try Self.isEndDropped(scratch.path) { tries.withLock { $0.dropped += 1 } }
                    for id in stride(from: 2_000, to: 0, by: -50) {
                        let sql: SQL = "SELECT id FROM n WHERE id = \(id) AND text <> ''"
                        let row = try await database.first(sql, as: Row.self)
                        #expect(row?.id == id)
                        if row?.isOnLoop == false { tries.withLock { $0.elsewhere += 1 } }
                        let other = try await database.first("SELECT id FROM users LIMIT 1", as: Row.self)
                        #expect(other?.isOnLoop == true)
                    }
                }
            }
            let (dropped, elsewhere) = tries.withLock { $0 }
            #expect(dropped < 5 || elsewhere > 0)
        }
    }

    /// On tmpfs, the system never says that it has a page in memory.
    @Test func `where the system cannot tell what is in memory, all is read elsewhere`() async throws {
        let path = "/dev/shm/roost-cold-\(getpid()).sqlite"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: path)))
        try await database.start()
        try await Self.fill(database)
        try await Row.onLoop {
            for id in 1...2_000 {
                let row = try await database.first("SELECT id, text FROM n WHERE id = \(id)", as: Row.self)
                #expect(row?.id == id)
                // The loop's connection is open by then.
                if id > 1_000 { #expect(row?.isOnLoop == false) }
            }
        }
        await database.stop()
    }

    /// Makes a table of some four megabytes.
    private static func fill(_ database: Database) async throws {
        try await database.execute("CREATE TABLE n (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        let text = String(repeating: "x", count: 2_000)
        try await database.batch((1...2_000).map { "INSERT INTO n VALUES (\($0), \(text))" })
    }

    private static func dropFromMemory(_ path: String) {
        let file = open(path, O_RDONLY)
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        close(file)
    }

    /// Whether the system has nothing of a file's last 64 KiB in memory, where the last rows lie.
    private static func isEndDropped(_ path: String) throws -> Bool {
        let file = open(path, O_RDONLY)
        // Not closed: that would end the locks of the file.
        let (size, page) = (Int(lseek(file, 0, SEEK_END)), Int(getpagesize()))
        let pages = (size + page - 1) / page
        let map = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0)
        try #require(map != MAP_FAILED)
        defer { munmap(map, size) }
        var isInMemory = [UInt8](repeating: 0, count: pages)
        try #require(mincore(map, size, &isInMemory) == 0)
        return isInMemory.suffix(65_536 / page).allSatisfy { $0 & 1 == 0 }
    }

    @Test func `a commit that stands in the log, but perhaps not on the disk, is no failure`() {
        let error = DatabaseError(code: 1034, message: "disk I/O error", path: "a.sqlite")
        #expect(error == .outcomeUnknown("disk I/O error (a.sqlite)"))
        #expect(error.endsConnection)
    }

    @Test func `SQLite reads through a call that can be told not to wait`() {
        #expect(CachedReads.isPossible)
    }
}
