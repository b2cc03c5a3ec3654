import Engines
import FoundationEssentials
import HTTPTypes
import Roost
import RoostSQL
import Testing

@Suite("Pages of lists", .timeLimit(.minutes(5)))
struct PageTests {
    private struct Room: Decodable, Sendable, Equatable {
        let id: Int
        let name: String
        let seats: Int
        let built: Date
    }

    private static let order = PageOrder(\Room.id).by("name", \.name).by("size", column: "seats", \.seats)
        .by("built", \.built).standard("-size")

    private static func filled(_ database: Database, _ engine: Engine) async throws {
        let time: SQL = engine == .sqlite ? "TEXT" : "TIMESTAMPTZ"
        try await database.execute(
            "CREATE TABLE rooms (id INT PRIMARY KEY, name TEXT NOT NULL, seats INT NOT NULL, built \(time) NOT NULL)")
        try await database.batch(
            (1...25).map { id -> SQL in
                let built = Date(timeIntervalSince1970: Double(id % 7) + 0.123456)
                return "INSERT INTO rooms VALUES (\(id), \("room.\(id % 10)"), \(id % 4), \(built))"
            })
    }

    private static func page(_ query: PageQuery, _ database: Database) async throws -> Page<Room> {
        try await database.page(
            query, "SELECT id, name, seats, built FROM rooms WHERE \(SQL.all([nil, "id > \(2)"]))", order: order)
    }

    /// The cursor of a link.
    private static func cursor(_ link: String) throws -> String {
        let text = try #require(link.split(separator: "=").last)
        return String(text).replacing("%20", with: " ")
    }

    /// The ids of all pages, forwards and back.
    private static func walk(_ sort: String?, _ isDescending: Bool, _ database: Database) async throws -> [[Int]] {
        var query = PageQuery(limit: 6, sort: sort, isDescending: isDescending)
        var (ids, back): ([Int], [Int]) = ([], [])
        var page = try await Self.page(query, database)
        while true {
            ids += page.rows.map(\.id)
            guard let next = page.links.next else { break }
            query.start = .after(try cursor(next))
            page = try await Self.page(query, database)
        }
        back = page.rows.map(\.id)
        while let previous = page.links.previous {
            query.start = .before(try cursor(previous))
            page = try await Self.page(query, database)
            back = page.rows.map(\.id) + back
        }
        return [ids, back]
    }

    @Test func `a text with NUL, which SQLite keeps, makes a link that can be followed`() async throws {
        try await Engine.sqlite.run { (databases) async throws in
            let database = databases[0]
            let names = ["a\u{0}b", "a\u{0}0", "a~0b", "a~~", "a~", "~\u{0}~"]
            try await database.execute("CREATE TABLE rooms (id INT, name TEXT, seats INT, built TEXT)")
            for (index, name) in names.enumerated() {
                try await database.execute("INSERT INTO rooms VALUES (\(index + 3), \(name), 1, \(Date()))")
            }
            let sorted = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
            var (found, query) = ([[UInt8]](), PageQuery(limit: 1, sort: "name"))
            var page = try await Self.page(query, database)
            while true {
                found += page.rows.map { Array($0.name.utf8) }
                guard let next = page.links.next else { break }
                #expect(next.firstRange(of: "%00") == nil)
                query.start = .after(try #require(try Request(.get, next).query["after"]))
                page = try await Self.page(query, database)
            }
            #expect(found == sorted)
            while let previous = page.links.previous {
                query.start = .before(try #require(try Request(.get, previous).query["before"]))
                page = try await Self.page(query, database)
                found = page.rows.map { Array($0.name.utf8) } + found
            }
            #expect(found == sorted.dropLast() + sorted)
        }
    }

    @Test(arguments: Engine.allCases)
    func `each order is walked through, there and back`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await Self.filled(database, engine)
            let all = Array(3...25)
            let orders: [(String?, (Int) -> Int)] = [
                ("name", { $0 % 10 }), ("size", { $0 % 4 }), ("built", { $0 % 7 }),
            ]
            for (name, key) in orders {
                let sorted = all.sorted { (key($0), $0) < (key($1), $1) }
                #expect(try await Self.walk(name, false, database) == [sorted, sorted])
                #expect(try await Self.walk(name, true, database) == [sorted.reversed(), sorted.reversed()])
            }
            let standard = all.sorted { ($0 % 4, $0) > ($1 % 4, $1) }
            #expect(try await Self.walk(nil, false, database) == [standard, standard])
        }
    }

    private struct Visit: Decodable, Sendable {
        let id: Int
        let day: LocalDate
        let start: LocalDateTime
    }

    @Test(arguments: Engine.allCases)
    func `days and local times are orders, too`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.execute(
                "CREATE TABLE visits (id INT PRIMARY KEY, day DATE NOT NULL, start TIMESTAMP NOT NULL)")
            // Some have seconds, some have none, and some are the same.
            let texts = [
                "2026-11-26T09:30", "2026-11-26T09:30:15", "2026-11-25T23:59:59", "2026-11-26T09:31",
                "0001-01-01T00:00", "2026-11-26T09:30", "9999-12-31T23:59",
            ]
            for (index, text) in texts.enumerated() {
                let start = try #require(LocalDateTime(text))
                try await database.execute("INSERT INTO visits VALUES (\(index), \(start.date), \(start))")
            }
            let order = PageOrder(\Visit.id).by("day", \.day).by("start", \.start)
            for (name, sorted) in [("day", [4, 2, 0, 1, 3, 5, 6]), ("start", [4, 2, 0, 5, 1, 3, 6])] {
                var (ids, query) = ([Int](), PageQuery(limit: 1, sort: name))
                while true {
                    let page = try await database.page(query, "SELECT id, day, start FROM visits", order: order)
                    ids += page.rows.map(\.id)
                    guard let next = page.links.next else { break }
                    query.start = .after(try #require(try Request(.get, next).query["after"]))
                }
                #expect(ids == sorted)
                let wrong = PageQuery(start: .after("1.2026-11-31"), sort: name)
                let error = await #expect(throws: HTTPError.self) {
                    try await database.page(wrong, "SELECT id, day, start FROM visits", order: order)
                }
                #expect(error?.status == .badRequest)
            }
        }
    }

    private struct Weight: Decodable, Sendable {
        let id: Int
        let grams: Double
    }

    @Test(arguments: Engine.allCases)
    func `numbers without digits have their places in an order`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.execute(
                "CREATE TABLE weights (id INT PRIMARY KEY, grams DOUBLE PRECISION NOT NULL)")
            var grams: [Double] = [1.5, -.infinity, .infinity, -2, .infinity, 1e300]
            var sorted = [1, 3, 0, 5, 2, 4]
            if engine == .postgresql {
                grams += [.nan, .nan]
                sorted += [6, 7]
            }
            for (index, number) in grams.enumerated() {
                try await database.execute("INSERT INTO weights VALUES (\(index), \(number))")
            }
            let order = PageOrder(\Weight.id).by("grams", \.grams)
            for isDescending in [false, true] {
                var (ids, query) = ([Int](), PageQuery(limit: 1, sort: "grams", isDescending: isDescending))
                while true {
                    let page = try await database.page(query, "SELECT id, grams FROM weights", order: order)
                    ids += page.rows.map(\.id)
                    guard let next = page.links.next else { break }
                    query.start = .after(try #require(try Request(.get, next).query["after"]))
                }
                #expect(ids == (isDescending ? sorted.reversed() : sorted))
            }
            for cursor in ["1.nan(0x12)", "1.snan", "1.-nan"] {
                let query = PageQuery(start: .after(cursor), sort: "grams")
                do {
                    let page = try await database.page(query, "SELECT id, grams FROM weights", order: order)
                    #expect(engine == .postgresql && page.rows.map(\.id) == [6, 7])
                } catch let error as HTTPError {
                    #expect(engine == .sqlite && error.status == .badRequest)
                }
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a page may have as many rows as a query may return`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            try await Self.filled(databases[0], engine)
            let limited = Database(databases[0].driver, configuration: DatabaseConfiguration(maximumRows: 3))
            let page = try await Self.page(PageQuery(limit: 3, sort: "name"), limited)
            #expect(page.rows.count == 3 && page.links.next != nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `what the list has not given out is a 400`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await Self.filled(database, engine)
            let wrong: [PageQuery] = [
                PageQuery(sort: "id; DROP TABLE rooms"), PageQuery(start: .after("1")), PageQuery(start: .after("")),
                PageQuery(start: .before("x.1")), PageQuery(start: .after("1.x")),
                PageQuery(start: .after("1.a\0"), sort: "name"), PageQuery(start: .after("1.a~"), sort: "name"),
                PageQuery(start: .after("1.a~x"), sort: "name"),
                PageQuery(start: .after("1.99999999999999999999"), sort: "built"),
                PageQuery(start: .after("1.300000000000000000"), sort: "built"),
                PageQuery(start: .after("1.-300000000000000000"), sort: "built"),
            ]
            for query in wrong {
                let error = await #expect(throws: HTTPError.self, "\(query)") {
                    try await Self.page(query, database)
                }
                #expect(error?.status == .badRequest)
            }
            guard engine == .postgresql else { return }
            let nul = await #expect(throws: HTTPError.self) {
                try await Self.page(PageQuery(start: .after("1.a~0"), sort: "name"), database)
            }
            let names = PageOrder(\Room.name, column: "name")
            let nulID = await #expect(throws: HTTPError.self) {
                try await database.page(PageQuery(start: .after("a~0")), "SELECT * FROM rooms", order: names)
            }
            #expect(nul?.status == .badRequest && nulID?.status == .badRequest)
        }
    }

    @Test func `a standard order that the list does not have is no mistake of a client`() throws {
        let order = PageOrder(\Room.id).by("name", \.name).standard("-nmae")
        let error = #expect(throws: (any Error).self) { try order.sql("SELECT 1", for: PageQuery(), in: .sqlite) }
        #expect(!(error is HTTPError) && String(describing: error).contains("nmae"))
        #expect(throws: HTTPError.self) { try order.sql("SELECT 1", for: PageQuery(sort: "nmae"), in: .sqlite) }
        #expect(throws: Never.self) { try order.sql("SELECT 1", for: PageQuery(sort: "name"), in: .sqlite) }
    }

    @Test(arguments: ["", "\u{301}x", "\u{200D}", "\u{FE0F}a.b", "."])
    func `a cursor is divided at its first dot, whatever follows`(value: String) {
        let cursor = PageCursor("17." + value)
        #expect(cursor.id == "17")
        #expect(cursor.value?.utf8.elementsEqual(value.utf8) ?? false)
        #expect(PageCursor("17").value == nil)
    }

    @Test func `conditions that are left out`() {
        #expect(SQL.all([]) == "TRUE")
        #expect(SQL.all([nil, "a = \(1)", nil, "b OR c"]) == "(a = \(1)) AND (b OR c)")
    }
}
