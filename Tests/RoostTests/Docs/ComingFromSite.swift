import Roost
import RoostSQL
import RoostTesting
import Testing

// What the pages "coming from …" have in their second column, so that the compiler has seen it.

struct Heron: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

struct HeronInput: Decodable, Validatable {
    var name: String

    mutating func validate(_ check: inout Validation) { check("name", &name, .trimmed, .required, .length(...40)) }
}

struct HeronList: Encodable { let herons: [Heron] }

struct HeronGone: ResponseError {
    var httpError: HTTPError? { HTTPError(.gone, "The heron has flown.") }
}

struct Stopwatch: Middleware {
    func respond(to request: Request, next: Next) async throws -> Response {
        let start = ContinuousClock.now
        var response = try await next(request)
        response.headers["X-Time"] = "\(ContinuousClock.now - start)"
        return response
    }
}

struct HeronController: Controller {
    static let paths = Resource("/herons", Int.self)

    func routes(_ routes: Routes) {
        let herons = routes.resource(Self.paths)
        herons.index { _ in JSON([Heron(id: 1, name: "Ann")]) }
        herons.show { _, id in JSON(Heron(id: id, name: "Ann")) }
    }
}

func makeHerons(_ database: Database) throws -> Application {
    let key = SigningKey.random()
    let sessions = Sessions(MemorySessionStore(), isHTTPS: false)
    let cleanup = Periodic("cleanup", every: .hours(1)) {
        try await database.execute("DELETE FROM herons WHERE name = ''")
    }
    let migrator = Migrator(database, [Migration("herons", sql: "CREATE TABLE herons (id INTEGER, name TEXT)")])
    return try Application(
        services: [database, migrator, cleanup],
        middleware: Application.standardMiddleware() + [
            Stopwatch(), Compression(), MethodOverride(), Flash(key: key, isHTTPS: false), sessions,
        ]
    ) { routes in
        routes.get(Path("/")) { _ in "Hello!" }
        routes.get(Path("/herons/{id}", Int.self)) { _, id in "heron \(id)" }
        routes.post(Path("/herons")) { request in
            let input = try request.decode(HeronInput.self)
            return JSON(Heron(id: 3, name: input.name), status: .created)
        }
        routes.group(Path("/admin"), middleware: [RateLimit(100, per: .minutes(1))]) { routes in
            routes.get(Path("/stop")) { _ in Response.redirect(to: "/") }
        }
        routes.add(PageRoutes(database: database))
        routes.events(Path("/ticks")) { _, events in try await events.send(ServerSentEvent("tick")) }
        try routes.fallback(StaticFiles("public"))
        routes.webSocket(Path("/echo")) { socket, _ in
            for try await message in socket { try await socket.send(message) }
        }
    }
}

/// The rest, of which a test needs only that it compiles.
private struct PageRoutes: Controller {
    let database: Database

    func routes(_ routes: Routes) {
        routes.get(Path("/read"), use: read)
        routes.get(Path("/write"), use: write)
        routes.get(Path("/lines"), use: lines)
    }

    func read(_ request: Request) async throws -> Response {
        let page = request.query["page"]
        let agent = request.headers[.userAgent]
        let theme = request.cookie("theme")
        let cart = try await request.session["cart"]
        let herons = try await database.query("SELECT id, name FROM herons", as: Heron.self)
        guard let heron = try await database.first("SELECT id, name FROM herons WHERE id = \(1)", as: Heron.self) else {
            throw HTTPError(.notFound)
        }
        let digest = try await offload { heavy(heron.id) }
        guard page == nil else { return .json(heron) }
        guard agent == nil, theme == nil, cart == nil else { return .redirect(to: HeronController.paths.one.url(3)) }
        guard digest == 0 else { return try .file("reports/7.pdf") }
        return .view("herons/index", HeronList(herons: herons))
    }

    func write(_ request: Request) async throws -> Response {
        try await request.session["cart"] = "7"
        try request.flash("Saved.")
        let name = "Ann"
        try await database.execute("INSERT INTO herons (name) VALUES (\(name))")
        try await database.transaction { transaction in
            _ = try await transaction.execute("UPDATE herons SET name = \(name) WHERE id = 1")
        }
        var response = Response(.noContent)
        try response.setCookie(Cookie(name: "theme", value: "dark", isSecure: true))
        return response
    }

    func lines(_ request: Request) -> Response {
        let herons = database.stream("SELECT id, name FROM herons", as: Heron.self)
        let lines = herons.map { try JSONCoder().encode($0) + [10] }
        return Response(.ok, "application/x-ndjson", Body(stream: lines))
    }

    private func heavy(_ id: Int) -> Int { id }
}

@Suite("Pages for those who come from elsewhere", .quietLog, .timeLimit(.minutes(5)))
struct ComingFromTests {
    private static let pages = ["express", "flask", "rails", "vapor"].map { "docs/coming-from-\($0).md" }

    /// The second column of each table has code that this file compiles; other tables have commands.
    @Test(arguments: pages) func `each line of its second column is compiled`(page: String) {
        let source = Self.words(Readme.contents("Tests/RoostTests/Docs/ComingFromSite.swift"))
        var count = 0
        for table in Readme.contents(page).components(between: "| Roost |\n", and: "\n\n") {
            for row in table.split(separator: "\n").dropFirst() {
                for code in String(row.split(separator: "|").last ?? "").components(between: "`", and: "`") {
                    count += 1
                    #expect(source.contains(Self.words(code)), "\(page): \(code)")
                }
            }
        }
        #expect(count >= 20, "\(page)")
    }

    private static func words(_ text: String) -> String {
        text.split { $0.isWhitespace }.joined(separator: " ")
    }
}
