import FoundationEssentials
import Processes
import Roost
import RoostPostgres
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

// The programs of docs/data.md, letter for letter.

struct Egg: Codable, Sendable {
    let id: Int
    let color: String
    let laidAt: Date
    let note: String?
}

struct Eggs: Sendable {
    let database: Database

    func all() async throws -> [Egg] {
        try await database.query("SELECT id, color, laid_at, note FROM eggs ORDER BY id", as: Egg.self)
    }

    func egg(_ id: Int) async throws -> Egg? {
        try await database.first("SELECT id, color, laid_at, note FROM eggs WHERE id = \(id)", as: Egg.self)
    }

    func add(_ color: String, _ laidAt: Date) async throws -> Int? {
        try await database.insert("INSERT INTO eggs (color, laid_at) VALUES (\(color), \(laidAt))")
    }

    func paint(_ id: Int, _ color: String) async throws -> Bool {
        try await database.execute("UPDATE eggs SET color = \(color) WHERE id = \(id)") > 0
    }
}

/// The database of all tests, which the first of them opens.
enum EggDatabase {
    static let shared = Task {
        let database = try openDatabase("sqlite::memory:")
        try await database.start()
        return database
    }
}

func makeNest(_ driver: any SQLDriver) throws -> Application {
    let database = Database(driver, configuration: DatabaseConfiguration(columnNames: .snakeCase))
    let eggs = Eggs(database: database)
    let migrations = Migrator(
        database,
        [
            Migration(
                "eggs",
                sql: """
                    CREATE TABLE eggs (
                        id ${identity}, color TEXT NOT NULL UNIQUE, laid_at ${instant} NOT NULL, note TEXT)
                    """)
        ])
    return try Application(services: [database, migrations]) { routes in
        routes.get(Path("/eggs")) { _ in JSON(try await eggs.all()) }
        routes.get(Path("/eggs/{id}", Int.self)) { _, id in
            guard let egg = try await eggs.egg(id) else { throw HTTPError(.notFound) }
            return JSON(egg)
        }
    }
}

func search(_ colors: [String], since date: Date?, by column: String, in database: Database) async throws -> [Egg] {
    var conditions: [SQL] = ["color IN \(list: colors)"]
    if let date { conditions.append("laid_at >= \(date)") }
    return try await database.query(
        """
        SELECT id, color, laid_at, note FROM eggs WHERE \(SQL.joined(conditions, by: " AND "))
        ORDER BY \(identifier: column)
        """, as: Egg.self)
}

func swap(_ one: Int, _ other: Int, in database: Database) async throws {
    try await database.transaction { transaction in
        let colors = try await transaction.query(
            "SELECT color FROM eggs WHERE id IN \(list: [one, other]) ORDER BY id = \(one) DESC", as: String.self)
        guard colors.count == 2 else { throw HTTPError(.notFound) }
        try await transaction.execute("UPDATE eggs SET color = \("") WHERE id = \(one)")
        try await transaction.execute("UPDATE eggs SET color = \(colors[0]) WHERE id = \(other)")
        try await transaction.execute("UPDATE eggs SET color = \(colors[1]) WHERE id = \(one)")
    }
}

func note(_ text: String, on id: Int, in database: Database) async throws {
    try await database.transaction { transaction in
        try? await transaction.savepoint { savepoint in
            _ = try await savepoint.execute("INSERT INTO notes (egg, text) VALUES (\(id), \(text))")
        }
        try await transaction.execute("UPDATE eggs SET note = \(text) WHERE id = \(id)")
    }
}

func take(_ count: Int, from id: Int, in database: Database) async throws {
    try await database.transaction { transaction in
        let seats = try await transaction.first(
            "SELECT seats FROM halls WHERE id = \(id) \(transaction.forUpdate)", as: Int.self)
        guard let seats, seats >= count else { throw HTTPError(.conflict, "There are not enough seats.") }
        try await transaction.execute("UPDATE halls SET seats = \(seats - count) WHERE id = \(id)")
    }
}

let showings = Migration(
    "showings",
    sqlite: """
        CREATE TABLE showings (id INTEGER PRIMARY KEY, hall INTEGER NOT NULL, starts INTEGER NOT NULL,
            ends INTEGER NOT NULL, CHECK (starts < ends));
        CREATE INDEX showings_time ON showings (hall, starts);
        CREATE TRIGGER showings_overlap BEFORE INSERT ON showings
            WHEN EXISTS (SELECT 1 FROM showings WHERE hall = NEW.hall AND starts < NEW.ends AND ends > NEW.starts)
            BEGIN SELECT RAISE(ABORT, 'showings_overlap'); END;
        CREATE TRIGGER showings_overlap_moved BEFORE UPDATE OF hall, starts, ends ON showings
            WHEN EXISTS (SELECT 1 FROM showings WHERE hall = NEW.hall AND starts < NEW.ends AND ends > NEW.starts
                AND id <> NEW.id)
            BEGIN SELECT RAISE(ABORT, 'showings_overlap'); END
        """,
    postgresql: """
        CREATE EXTENSION IF NOT EXISTS btree_gist;
        CREATE TABLE showings (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, hall BIGINT NOT NULL,
            starts BIGINT NOT NULL, ends BIGINT NOT NULL, CHECK (starts < ends),
            CONSTRAINT showings_overlap EXCLUDE USING gist (hall WITH =, int8range(starts, ends) WITH &&))
        """)

func show(in hall: Int, from starts: Int, to ends: Int, _ database: Database) async throws {
    do {
        try await database.execute("INSERT INTO showings (hall, starts, ends) VALUES (\(hall), \(starts), \(ends))")
    } catch let error as DatabaseError where error.isConflict(on: "showings_overlap") {
        throw HTTPError(.conflict, field: "start", "The hall is taken at that time.")
    }
}

func copy(to other: Database, from database: Database) async throws {
    var batch: [SQL] = []
    for try await egg in database.stream("SELECT id, color, laid_at, note FROM eggs", as: Egg.self) {
        batch.append("INSERT INTO eggs (color, laid_at, note) VALUES (\(egg.color), \(egg.laidAt), \(egg.note))")
        if batch.count == 500 {
            try await other.batch(batch)
            batch = []
        }
    }
    try await other.batch(batch)
}

func count(within limit: Duration, in database: Database) async throws -> Int {
    try await database.with(timeout: limit).first("SELECT count(*) FROM eggs", as: Int.self) ?? 0
}

func lay(_ color: String, in eggs: Eggs) async throws -> Response {
    do {
        let id = try await eggs.add(color, Date())
        return .json(["id": id], status: .created)
    } catch let error as DatabaseError where error.isConflict(on: "eggs.color") {
        throw HTTPError(.conflict, field: "color", "There is such an egg.")
    }
}

struct Color: SQLReadable {
    let id: Int
    let color: String

    init(reading columns: inout SQLColumns) throws {
        id = try columns.read("id")
        color = try columns.read("color")
    }
}

@Suite("The page about data", .timeLimit(.minutes(5)))
struct DataPageTests {
    @Test(.quietLog) func `the eggs are listed`() async throws {
        let driver = SQLiteDriver(SQLiteConfiguration(path: ":memory:"))
        let client = TestClient(try makeNest(driver))
        #expect(try await client.get("/eggs").json([Egg].self).isEmpty)
        let eggs = Eggs(database: Database(driver))
        _ = try await eggs.add("blue", Date())
        #expect(try await client.get("/eggs/1").json(Egg.self).color == "blue")
        #expect(try await client.get("/eggs/2").status == .notFound)
    }

    @Test(.quietLog, arguments: ["blue", "green"])
    func `an egg is there during its own test`(color: String) async throws {
        try await EggDatabase.shared.value.rolledBack { database in
            let client = TestClient(try makeNest(database.driver))
            #expect(try await client.get("/eggs").json([Egg].self).isEmpty)
            _ = try await Eggs(database: database).add(color, Date())
            #expect(try await client.get("/eggs").json([Egg].self).map(\.color) == [color])
            try await client.stop()
        }
    }

    private static var arguments: [String] { ["sqlite::memory:"] }

    @Test(.quietLog, arguments: arguments)
    func `its programs do what it says`(url: String) async throws {
        let driver = try openDatabase(url).driver
        let client = TestClient(try makeNest(driver))
        #expect(try await client.get("/eggs").json([Egg].self).isEmpty)
        let database = Database(driver, configuration: DatabaseConfiguration(columnNames: .snakeCase))
        let eggs = Eggs(database: database)
        let day = Date(timeIntervalSince1970: 1_795_258_201.25)
        #expect(try await eggs.add("blue", day) == 1)
        #expect(try await lay("green", in: eggs).status == .created)
        let conflict = await #expect(throws: HTTPError.self) { try await lay("green", in: eggs) }
        #expect(conflict?.status == .conflict)
        #expect(try await eggs.egg(1)?.laidAt == day)
        #expect(try await eggs.paint(1, "white"))
        #expect(try await !eggs.paint(9, "white"))
        #expect(try await search(["white", "red"], since: day, by: "id", in: database).map(\.id) == [1])
        #expect(try await search([], since: nil, by: "color", in: database).isEmpty)
        #expect(try await count(within: .seconds(3600), in: database) == 2)
        let colors = try await database.query("SELECT id, color FROM eggs ORDER BY id", as: Color.self)
        #expect(colors.map(\.color) == ["white", "green"])
        await #expect(throws: HTTPError.self) { try await swap(1, 9, in: database) }
        try await swap(1, 2, in: database)
        #expect(try await eggs.all().map(\.color) == ["green", "white"])
        // The table of notes does not exist.
        try await note("small", on: 1, in: database)
        #expect(try await eggs.egg(1)?.note == "small")
        try await database.execute("DELETE FROM eggs")
        try await database.batch((0..<1100).map { "INSERT INTO eggs (color, laid_at) VALUES (\("\($0)"), \(day))" })
        let isServer = url.hasPrefix("postgres")
        let other = try openDatabase(isServer ? await PostgresServer.shared().makeDatabase() : url)
        try await Self.serving(other) {
            try await copy(to: other, from: database)
            #expect(try await count(within: .seconds(3600), in: other) == 1100)
        }
        try await client.stop()
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"))
    func `and on a server`() async throws {
        try await `its programs do what it says`(url: PostgresServer.shared().makeDatabase())
    }

    @Test(.quietLog, arguments: arguments)
    func `seats are taken once, and showings do not overlap`(url: String) async throws {
        let database = try openDatabase(url)
        try await database.start()
        try await Migrator(database, [showings]).run()
        try await database.execute("CREATE TABLE halls (id INT, seats INT)")
        try await database.execute("INSERT INTO halls VALUES (1, 3)")
        try await take(2, from: 1, in: database)
        await #expect(throws: HTTPError.self) { try await take(2, from: 1, in: database) }
        for (hall, starts) in [(1, 10), (1, 20), (2, 15)] {
            try await show(in: hall, from: starts, to: starts + 10, database)
        }
        let error = await #expect(throws: HTTPError.self) { try await show(in: 1, from: 19, to: 21, database) }
        #expect(error?.status == .conflict)
        let moved = await #expect(throws: DatabaseError.self) {
            try await database.execute("UPDATE showings SET hall = 1 WHERE hall = 2")
        }
        #expect(moved?.isConflict(on: "showings_overlap") == true)
        try await database.execute("UPDATE showings SET ends = ends - 1")
        await database.stop()
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"))
    func `and they are not on a server`() async throws {
        try await `seats are taken once, and showings do not overlap`(url: PostgresServer.shared().makeDatabase())
    }

    @Test(.quietLog) func `a row that does not fit undoes its statement, and the rule is kept`() async throws {
        let database = try openDatabase("sqlite::memory:")
        try await Self.serving(database) { () async throws in
            let sql: SQL = "INSERT INTO eggs (color, laid_at) VALUES ('x', 'y') RETURNING color"
            await #expect(throws: DatabaseError.self) { try await database.first(sql, as: Int.self) }
            #expect(try await count(within: .seconds(3600), in: database) == 0)
            await #expect(throws: DatabaseError.self) {
                try await database.transaction { _ in _ = try await Eggs(database: database).all() }
            }
            await #expect(throws: DatabaseError.self) { try await database.execute("BEGIN") }
        }
    }

    /// Does something with a database that has the table.
    private static func serving(_ database: Database, _ body: () async throws -> Void) async throws {
        let client = TestClient(try makeNest(database.driver))
        _ = try await client.get("/eggs")
        try await body()
        try await client.stop()
    }

    @Test func `its programs are compiled`() throws {
        let source = try DatabasesPageTests.text("Tests/AppTests/Models/DataPageTests.swift")
        let blocks = try DatabasesPageTests.text("docs/data.md").split(separator: "```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == 14)
        for block in blocks {
            let indented = block.split(separator: "\n").map { "    \($0)\n" }.joined()
            #expect(source.contains(block) || source.contains(indented), "\(block)")
        }
    }
}
