import Engines
import RoostSQL
import RoostTesting
import Testing

@Suite("Databases for tests, rolled back", .timeLimit(.minutes(5)))
struct RolledBackTests {
    private struct Failure: Error {}

    private static func names(_ database: Database) async throws -> [String] {
        try await database.query("SELECT name FROM users ORDER BY id", as: String.self)
    }

    @Test(arguments: Engine.allCases)
    func `what a test has written is gone`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let inside = try await databases[0].rolledBack { database in
                try await database.execute("INSERT INTO users (name) VALUES ('one')")
                #expect(try await database.insert("INSERT INTO users (name) VALUES ('two')") != nil)
                try await database.transaction { _ = try await $0.execute("INSERT INTO users (name) VALUES ('three')") }
                try await database.batch([
                    "INSERT INTO users (name) VALUES ('four')", "CREATE TABLE rooms (id INTEGER)",
                ])
                return try await Self.names(database)
            }
            #expect(inside == ["Nelson", "Cathy", "one", "two", "three", "four"])
            await #expect(throws: Failure.self) {
                try await databases[0].rolledBack { database in
                    try await database.execute("DELETE FROM users")
                    throw Failure()
                }
            }
            #expect(try await Self.names(databases[0]) == ["Nelson", "Cathy"])
            try await databases[0].execute("CREATE TABLE rooms (id INTEGER)")
        }
    }

    @Test(arguments: Engine.allCases)
    func `what fails undoes itself only`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            try await databases[0].rolledBack { database in
                try await database.execute("INSERT INTO users (name) VALUES ('kept')")
                await #expect(throws: DatabaseError.self) {
                    try await database.execute("INSERT INTO users (name) VALUES ('Nelson')")
                }
                await #expect(throws: DatabaseError.self) {
                    try await database.batch([
                        "INSERT INTO users (name) VALUES ('lost')", "INSERT INTO users (name) VALUES ('Nelson')",
                    ])
                }
                await #expect(throws: Failure.self) {
                    try await database.transaction { transaction in
                        try await transaction.savepoint { _ = try await $0.execute("DELETE FROM users") }
                        throw Failure()
                    }
                }
                #expect(try await Self.names(database) == ["Nelson", "Cathy", "kept"])
                // A statement beside a transaction is a mistake here, too.
                await #expect(throws: DatabaseError.self) {
                    try await database.transaction { _ in try await database.ping() }
                }
                // A transaction within one, as a library may open it, undoes itself only.
                try await database.rolledBack { _ = try await $0.execute("DELETE FROM users") }
                #expect(try await Self.names(database).count == 3)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `tests use one database at the same time`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await withThrowingTaskGroup { group in
                for _ in 0..<6 {
                    group.addTask {
                        // Each may use a name that must be unique, since none sees another's. PostgreSQL lets the later
                        // one wait; it would refuse those that wait for each other, so all begin with one name.
                        try await database.rolledBack { database in
                            try await database.execute("INSERT INTO users (name) VALUES ('user 0')")
                            try await withThrowingTaskGroup { group in
                                for number in 1..<5 {
                                    group.addTask {
                                        try await database.transaction { transaction in
                                            let name = "user \(number)"
                                            try await transaction.execute("INSERT INTO users (name) VALUES (\(name))")
                                            let count = try await transaction.first(
                                                "SELECT count(*) FROM users WHERE name = \(name)", as: Int.self)
                                            #expect(count == 1)
                                        }
                                    }
                                    group.addTask { try await database.ping() }
                                }
                                try await group.waitForAll()
                            }
                            #expect(try await Self.names(database).count == 7)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await Self.names(database) == ["Nelson", "Cathy"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `whoever is cancelled while it waits takes no turn`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            try await databases[0].rolledBack { database in
                let (begun, gate) = (Latch(), Latch())
                let first = Task {
                    try await database.transaction { _ in
                        begun.open()
                        await gate.wait()
                    }
                }
                await begun.wait()
                let second = Task.immediate { try await database.execute("DELETE FROM users") }
                let third = Task.immediate { try await Self.names(database) }
                second.cancel()
                await #expect(throws: CancellationError.self) { try await second.value }
                gate.open()
                try await first.value
                #expect(try await third.value == ["Nelson", "Cathy"])
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `long results are read in portions`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            try await databases[0].rolledBack { database in
                try await database.batch((0..<600).map { "INSERT INTO users (name) VALUES (\("user \($0)"))" })
                var names: [String] = []
                for try await name in database.stream("SELECT name FROM users ORDER BY id", as: String.self) {
                    names.append(name)
                }
                #expect(names == ["Nelson", "Cathy"] + (0..<600).map { "user \($0)" })
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `neither database is used at the wrong time`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let left = try await databases[0].rolledBack { database in
                await #expect(throws: DatabaseError.self) { try await databases[0].execute("DELETE FROM users") }
                return database
            }
            await #expect(throws: DatabaseError.unavailable(DatabaseError.notOpen)) { try await left.ping() }
        }
    }

    @Test(arguments: Engine.allCases)
    func `an application writes by its requests, and nothing remains`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            for _ in 0..<2 {
                try await databases[0].rolledBack { database in
                    let client = TestClient(try Self.application(database))
                    #expect(try await client.post("/users/Ada").text == "3")
                    #expect(try await client.post("/users/Ada").status == .conflict)
                    #expect(try await client.post("/users/Eve").text == "4")
                    try await client.stop()
                }
            }
            #expect(try await Self.names(databases[0]) == ["Nelson", "Cathy"])
        }
    }

    private static func application(_ database: Database) throws -> Application {
        try Application(logger: LogLines().logger, services: [database], middleware: [ErrorPages()]) { routes in
            routes.post(Path("/users/{name}", String.self)) { _, name in
                try await database.transaction { transaction in
                    do {
                        try await transaction.execute("INSERT INTO users (name) VALUES (\(name))")
                    } catch DatabaseError.uniqueViolation {
                        throw HTTPError(.conflict)
                    }
                    return "\(try await transaction.first("SELECT count(*) FROM users", as: Int.self) ?? 0)"
                }
            }
        }
    }
}
