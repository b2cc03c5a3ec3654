import Glibc
import RoostSQL
import RoostSQLite
import RoostTesting
import Synchronization
import Testing

@Suite("Writing to SQLite", .timeLimit(.minutes(5)))
struct SQLiteWriteTests {
    private struct Oops: Error {}

    private static func names(_ database: Database) async throws -> [String] {
        try await database.query("SELECT name FROM users ORDER BY id", as: String.self)
    }

    /// Lets writes gather while a transaction is open, so that they become one group.
    private static func group<Write: Sendable, Value: Sendable>(
        _ database: Database,
        _ writes: [Write],
        _ run: @escaping @Sendable (Write) async throws -> Value
    ) async throws -> [Result<Value, any Error>] {
        var tasks: [Task<Value, any Error>] = []
        try await database.whileWriterIsHeld {
            // Each runs here until it waits; by then its write is in the queue.
            tasks = writes.map { write in Task.immediate { try await run(write) } }
        }
        var results: [Result<Value, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }

    private static func group(_ database: Database, _ writes: [SQL]) async throws -> [Result<Int, any Error>] {
        try await group(database, writes) { try await database.execute($0) }
    }

    @Test func `of the writes that share a commit, one that fails does not affect the others`() async throws {
        try await Scratch.run { (database, _) async throws in
            let results = try await Self.group(
                database,
                [
                    "INSERT INTO users (name) VALUES ('a')", "INSERT INTO users (name) VALUES ('Cathy')",
                    "INSERT INTO users (name) VALUES ('b')", "NONSENSE", "INSERT INTO users (name) VALUES ('c')",
                ]
            )
            #expect(results.map { (try? $0.get()) == 1 } == [true, false, true, false, true])
            #expect(Set(try await Self.names(database)) == ["Nelson", "Cathy", "a", "b", "c"])
        }
    }

    @Test func `a batch that fails in the middle of a shared commit is undone`() async throws {
        try await Scratch.run { (database, _) async throws in
            let batches: [[SQL]] = [
                ["INSERT INTO users (name) VALUES ('before')"],
                ["INSERT INTO users (name) VALUES ('half')", "INSERT INTO users (name) VALUES ('Cathy')"],
                ["INSERT INTO users (name) VALUES ('behind')"],
            ]
            let results = try await Self.group(database, batches) { try await database.batch($0) }
            #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
            #expect(try await Self.names(database) == ["Nelson", "Cathy", "before", "behind"])
        }
    }

    @Test func `an insert returns the id of its row, and nil when there is none`() async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.execute("CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT)")
            try await database.execute(
                "CREATE TRIGGER pet AFTER INSERT ON users BEGIN INSERT INTO pets VALUES (700 + NEW.id, 'of'); END")
            let ids = try await Self.group(database, ["a", "b", "Cathy", "c"]) { name in
                try await database.insert("INSERT INTO users (name) VALUES (\(name)) ON CONFLICT DO NOTHING")
            }.map { try $0.get() }
            let stored = try await database.query(
                "SELECT id FROM users WHERE name IN ('a', 'b', 'c') ORDER BY name", as: Int.self)
            #expect(ids.compactMap { $0 } == stored && ids[2] == nil)
            #expect(try await database.insert("UPDATE users SET name = 'd' WHERE name = 'c'") == nil)
            try await database.execute("CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID")
            #expect(try await database.insert("INSERT INTO words VALUES ('a')") == nil)
            await #expect(throws: DatabaseError.self) { try await database.insert("INSERT INTO users VALUES (1, 'x')") }
        }
    }

    @Test func `statements queued after one that undid the transaction do not run outside it`() async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.execute(
                "CREATE TRIGGER no BEFORE INSERT ON users WHEN new.name = 'x' BEGIN SELECT RAISE(ROLLBACK, 'no x'); END"
            )
            for _ in 0..<200 {
                _ = try? await database.transaction { transaction in
                    async let first = transaction.execute("INSERT INTO users (name) VALUES ('x')")
                    async let second = transaction.execute("INSERT INTO users (name) VALUES ('behind')")
                    _ = try await (first, second)
                }
            }
            #expect(Set(try await Self.names(database)).isDisjoint(with: ["x"]))
            let behind = try await database.first("SELECT count(*) FROM users WHERE name = 'behind'", as: Int.self)
            #expect(behind == 0)
        }
    }

    @Test func `a write for which SQLite rolls everything back does not affect the others`() async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.execute(
                "CREATE TRIGGER no BEFORE INSERT ON users WHEN new.name = 'x' BEGIN SELECT RAISE(ROLLBACK, 'no x'); END"
            )
            try await database.execute(
                "CREATE TABLE pets (owner INT REFERENCES users DEFERRABLE INITIALLY DEFERRED)"
            )
            let results = try await Self.group(
                database,
                [
                    "INSERT INTO users (name) VALUES ('a')", "INSERT INTO users (name) VALUES ('x')",
                    "INSERT INTO users (name) VALUES ('b')",
                ]
            )
            #expect(results.map { (try? $0.get()) == 1 } == [true, false, true])
            // Detected at the commit, when nobody knows which write is the cause.
            let more = try await Self.group(
                database,
                [
                    "INSERT INTO users (name) VALUES ('c')", "INSERT INTO pets VALUES (99)",
                    "INSERT INTO pets VALUES (1)",
                ]
            )
            #expect(more.map { (try? $0.get()) == 1 } == [true, false, true])
            #expect(try await Self.names(database) == ["Nelson", "Cathy", "a", "b", "c"])
        }
    }

    @Test func `a transaction that is open for too long is rolled back, and the writer goes on`() async throws {
        try await Scratch.run({ $0.transactionTimeout = .zero }) { (database, _) async throws in
            let latch = Latch()
            await #expect(throws: DatabaseError.self) {
                try await database.transaction { transaction in
                    // When this is done, the writer has given up the transaction.
                    try await apart { try await database.execute("INSERT INTO users (name) VALUES ('Ada')") }
                    latch.open()
                    try await transaction.execute("DELETE FROM users")
                }
            }
            await latch.wait()
            #expect(try await Self.names(database) == ["Nelson", "Cathy", "Ada"])
        }
    }

    @Test func `started twice, it has one writer`() async throws {
        try await Scratch.run({ $0.busyTimeout = .zero }) { (database, _) async throws in
            try await database.start()
            let results = try await Self.group(database, ["DELETE FROM users WHERE id = 1", "DELETE FROM users"])
            #expect(results.map { try? $0.get() } == [1, 1])
        }
    }

    @Test func `a lock that another program holds is waited for, then it is busy`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let other = scratch.database { $0.busyTimeout = .zero }
            try await other.start()
            try await database.transaction { transaction in
                await #expect(throws: DatabaseError.busy("database is locked (\(scratch.path))")) {
                    try await other.execute("DELETE FROM users")
                }
                #expect(try await other.first("SELECT count(*) FROM users", as: Int.self) == 2)
                try await transaction.execute("DELETE FROM users WHERE id = 1")
            }
            #expect(try await other.execute("DELETE FROM users") == 1)
            await other.stop()
            let patient = scratch.database()
            try await patient.start()
            let begun = Latch()
            async let later = {
                await begun.wait(); return try await patient.execute("DELETE FROM users")
            }()
            try await database.transaction { transaction in
                try await transaction.execute("INSERT INTO users (name) VALUES ('a')")
                begun.open()
                for _ in 0..<50 { await Task.yield() }
            }
            #expect(try await later == 1)
            await patient.stop()
        }
    }

    @Test(arguments: [false, true])
    func `who waits for a lock that another program holds can leave`(inTransaction: Bool) async throws {
        try await Scratch.run { (database, scratch) async throws in
            let clock = SteppingClock()
            let other = scratch.database { ($0.now, $0.busyTimeout) = (clock.read, .seconds(30)) }
            try await other.start()
            try await database.transaction { transaction in
                let hasBegun = Latch()
                let reads = Atomic(0)
                // The writer reads the clock when it takes the job, and then when it waits.
                clock.onRead { if reads.add(1, ordering: .relaxed).newValue > 1 { hasBegun.open() } }
                let task = Task.detached { () async throws in
                    guard inTransaction else { return _ = try await other.execute("DELETE FROM users") }
                    try await other.transaction { _ = try await $0.execute("DELETE FROM users") }
                }
                await hasBegun.wait()
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                try await transaction.execute("DELETE FROM users WHERE id = 1")
            }
            #expect(try await other.execute("DELETE FROM users") == 1)
            await other.stop()
        }
    }

    @Test func `of those that wait for a lock that another program holds, each has its own deadline`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let clock = SteppingClock()
            let other = scratch.database { ($0.now, $0.busyTimeout) = (clock.read, .seconds(30)) }
            try await other.start()
            let limited = clock.database(other.driver, timeout: .seconds(1))
            let patient = try await database.transaction { _ in
                // So that both writes are in one group, they wait behind a transaction that waits for the lock, too.
                let first = Task.immediate { try await other.transaction { _ in } }
                let late = Task.immediate { try await limited.execute("DELETE FROM users WHERE id = 1") }
                let patient = Task.immediate { try await other.execute("DELETE FROM users WHERE id = 2") }
                first.cancel()
                await #expect(throws: CancellationError.self) { try await first.value }
                clock.advance(by: .seconds(2))
                await #expect(throws: DatabaseError.timeout("the statement waited too long for its turn.")) {
                    try await late.value
                }
                return patient
            }
            #expect(try await patient.value == 1)
            #expect(try await Self.names(database) == ["Nelson"])
            await other.stop()
        }
    }

    @Test func `an acknowledged write is in the file, even after kill -9`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            try await database.execute("INSERT INTO users (name) VALUES ('Ada')")
            // A copy of the files as they are now, which is what a process would find that starts after this one was
            // killed.
            let copy = try Scratch()
            defer { copy.remove() }
            for suffix in ["", "-wal"] { try Self.copy(scratch.path + suffix, copy.path + suffix) }
            let found = copy.database()
            try await found.start()
            #expect(try await Self.names(found) == ["Nelson", "Cathy", "Ada"])
            await found.stop()
        }
    }

    private static func copy(_ source: String, _ target: String) throws {
        guard let input = fopen(source, "r"), let output = fopen(target, "w") else { throw Oops() }
        defer {
            fclose(input)
            fclose(output)
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, input), count > 0 { fwrite(buffer, 1, count, output) }
    }
}
