import RoostSQL
import RoostTesting
import Testing

/// Inside a transaction only the transaction can be used; the database itself is refused.
@Suite("Inside a transaction", .timeLimit(.minutes(5)))
struct OpenTransactionTests {
    private struct Oops: Error {}

    private struct Repository: Sendable {
        let database: Database

        func count() async throws -> Int? { try await database.first("SELECT count(*)", as: Int.self) }
    }

    private static let sentence =
        "The database refuses the statement (25001): The database is used inside its own transaction: use the "
        + "argument of transaction { } instead."

    private static let uses: [(name: String, use: @Sendable (Database) async throws -> Void)] = [
        ("query", { _ = try await $0.query("SELECT", as: Int.self) }),
        ("first", { _ = try await $0.first("SELECT", as: Int.self) }),
        ("a changed row", { _ = try await $0.first("INSERT", as: Int.self) }),
        ("execute", { try await $0.execute("INSERT") }),
        ("batch", { try await $0.batch(["INSERT"]) }),
        ("an empty batch", { try await $0.batch([]) }),
        ("stream", { for try await _ in $0.stream("SELECT", as: Int.self) {} }),
        ("ping", { try await $0.ping() }),
        ("transaction", { try await $0.transaction { _ in } }),
        ("a repository", { _ = try await Repository(database: $0).count() }),
        ("another time limit", { try await $0.with(timeout: .seconds(1)).ping() }),
        ("the same driver", { try await Database($0.driver).ping() }),
        (
            "another database's transaction",
            { database in
                try await Database(CannedDriver()).transaction { _ in try await database.ping() }
            }
        ),
        (
            "a child task",
            { database in
                async let one: Void = database.ping()
                try await one
            }
        ),
        (
            "a group's task",
            { database in
                try await withThrowingTaskGroup { group in
                    group.addTask { try await database.ping() }
                    try await group.waitForAll()
                }
            }
        ),
        ("an unstructured task", { database in try await Task { try await database.ping() }.value }),
    ]

    @Test(arguments: uses.indices, [SQLDialect.sqlite, .postgresql])
    func `the database itself is refused before anything is asked of it`(index: Int, dialect: SQLDialect) async throws {
        let driver = CannedDriver(["n"], [[.integer(1)]], dialect: dialect)
        let database = Database(driver)
        let error = await #expect(throws: DatabaseError.self, "\(Self.uses[index].name)") {
            try await database.transaction { _ in try await Self.uses[index].use(database) }
        }
        #expect(error?.description == Self.sentence)
        #expect(driver.events == [.began, .rolledBack])
        try await Self.uses[index].use(database)
    }

    @Test func `a stream that was begun before is refused, too`() async throws {
        let driver = CannedDriver(["n"], (0..<300).map { [.integer($0)] })
        let database = Database(driver)
        let rows = database.stream("SELECT", as: Int.self).makeAsyncIterator()
        #expect(try await rows.next() == 0)
        await #expect(throws: DatabaseError.self) {
            try await database.transaction { _ in while try await rows.next() != nil {} }
        }
        #expect(driver.events == [.fetched(256), .began, .closed, .rolledBack])
    }

    @Test func `the transaction itself and other databases are not refused`() async throws {
        let (driver, other) = (CannedDriver(["n"], [[.integer(1)]]), CannedDriver(["n"], [[.integer(2)]]))
        try await Database(driver).transaction { transaction async throws in
            #expect(try await transaction.first("SELECT", as: Int.self) == 1)
            try await Database(other).transaction { inner async throws in
                #expect(try await inner.first("SELECT", as: Int.self) == 2)
                #expect(try await transaction.first("SELECT", as: Int.self) == 1)
            }
            #expect(try await Database(other).first("SELECT", as: Int.self) == 2)
        }
        #expect(driver.events.last == .committed)
    }

    @Test func `a task that outlives the transaction in which it was begun may use the database`() async throws {
        let database = Database(CannedDriver(["n"], [[.integer(1)]]))
        for fails in [false, true] {
            let latch = Latch()
            let task = try await {
                var task: Task<Void, any Error>?
                _ = try? await database.transaction { _ in
                    task = Task {
                        await latch.wait()
                        try await database.ping()
                        try await database.transaction { _ in }
                    }
                    if fails { throw Oops() }
                }
                return try #require(task)
            }()
            latch.open()
            try await task.value
        }
    }

    @Test func `a detached task is in no transaction`() async throws {
        let database = Database(CannedDriver(["n"], [[.integer(1)]]))
        try await database.transaction { _ in try await Task.detached { try await database.ping() }.value }
    }
}
