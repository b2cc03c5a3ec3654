import Engines
import Roost
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@Suite("Plans in the window of development", .timeLimit(.minutes(5)))
struct StatementPlanTests {
    private struct One: Decodable, Sendable { let id: Int }

    /// The plan of PostgreSQL has the values in it.
    @Test(arguments: Engine.allCases)
    func `a statement about secrets has no plan, any other has one`(engine: Engine) async throws {
        try await engine.run { databases in
            let database = databases[0]
            let application = try Application { routes in
                routes.get(Path("/{mark}", String.self)) { _, mark in
                    let users = try await database.query(
                        "SELECT id FROM users WHERE name = \("hush") AND \(SQL(unchecked: "'\(mark)' <> ''"))",
                        as: One.self)
                    return "\(users.count)"
                }
            }
            let client = TestClient(try application.showingWindow)
            for (number, (mark, hasPlan)) in [("plain", true), ("token", false)].enumerated() {
                #expect(try await client.get("/\(mark)").text == "0")
                let page = try await client.get("/_roost/requests/\(number + 1)").text
                #expect(page.contains("<summary>Plan</summary>") == hasPlan)
                #expect(page.contains("hush") == hasPlan)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `rows are counted, and an error is shown without a plan`(engine: Engine) async throws {
        try await engine.run { databases in
            let database = databases[0]
            let application = try Application { routes in
                routes.get(Path("/rows")) { _ in
                    try await database.query("SELECT id FROM users", as: One.self).count.description
                }
                routes.get(Path("/changes")) { _ in
                    try await database.execute("UPDATE users SET name = name || '!'").description
                }
                routes.get(Path("/error")) { _ in
                    (try? await database.query("SELECT nothing FROM users", as: One.self).count.description) ?? "failed"
                }
            }
            let client = TestClient(try application.showingWindow)
            for path in ["/rows", "/changes", "/error"] { #expect(try await client.get(path).status == .ok) }
            for number in 1...2 {
                #expect(try await client.get("/_roost/requests/\(number)").text.contains("2 rows"))
            }
            let failed = try await client.get("/_roost/requests/3").text
            #expect(failed.contains("class=\"warning\"") && failed.contains("nothing"))
            #expect(!failed.contains("<summary>Plan</summary>"))
        }
    }

    @Test func `an engine that does not plan says so once, and is asked with a limit of two seconds`() async throws {
        let driver = PlanlessDriver()
        let now = ContinuousClock.now
        var configuration = DatabaseConfiguration()
        configuration.now = { now }
        let database = Database(driver, configuration: configuration)
        let application = try Application { routes in
            routes.get(Path("/")) { _ in
                _ = try await database.query("SELECT id FROM users", as: One.self)
                _ = try await database.query("SELECT id FROM eggs", as: One.self)
                return "done"
            }
        }
        let client = TestClient(try application.showingWindow)
        #expect(try await client.get("/").status == .ok)
        let page = try await client.get("/_roost/requests/1")
        #expect(page.status == .ok && page.text.split(separator: "No plans here.").count == 2)
        #expect(driver.deadlines.withLock { $0 } == [now + .seconds(2)])
    }
}

/// A driver that refuses to tell plans, and remembers how long they might have taken.
private final class PlanlessDriver: SQLDriver {
    private let canned = CannedDriver(["id"], [[.integer(7)]])
    let deadlines = Mutex<[ContinuousClock.Instant]>([])

    var dialect: SQLDialect { canned.dialect }
    var use: SQLUse? { canned.use }

    func start() async throws {}
    func stop() async {}

    func run<State: Sendable>(
        _ statement: SQLStatement, into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        guard statement.sql.text.hasPrefix("EXPLAIN") else {
            return try await canned.run(statement, into: &state, each)
        }
        deadlines.withLock { $0.append(statement.deadline) }
        throw DatabaseError.statement(code: "", message: "No plans here.")
    }

    func begin(_ isolation: SQLIsolation, deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction {
        try await canned.begin(isolation, deadline: deadline)
    }

    func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws {}
    func open(_ statement: SQLStatement) async throws -> any SQLCursor { try await canned.open(statement) }
}
