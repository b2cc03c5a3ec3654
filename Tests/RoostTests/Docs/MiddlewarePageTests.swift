import Roost
import RoostTesting
import Synchronization
import Testing

// The programs of docs/middleware.md, letter for letter.

/// Lets pass those who have said their name.
struct RequireVisitorName: Middleware {
    func respond(to request: Request, next: Next) async throws -> Response {
        guard try await request.session["name"] != nil else { return .redirect(to: "/") }
        return try await next(request)
    }
}

/// Turns visitors away while the hide is closed, and says which hide it is.
struct OpeningHours: Filter {
    let isOpen: @Sendable () -> Bool

    func before(_ request: inout Request) throws -> Response? {
        isOpen() ? nil : Response(.serviceUnavailable, headers: [.retryAfter: "3600"], body: Body("Birds only."))
    }

    func after(_ response: inout Response, to request: Request) { response.headers["X-Hide"] = "reeds" }
}

enum CurrentWarden: RequestKey { typealias Value = String }

func makeHide(
    wardens: [String: String], isOpen: @escaping @Sendable () -> Bool, isHTTPS: Bool = false
) throws -> Application {
    let sessions = Sessions(MemorySessionStore(), isHTTPS: isHTTPS)
    let middleware = Application.standardMiddleware(isHTTPS: isHTTPS) + [OpeningHours(isOpen: isOpen), sessions]
    return try Application(middleware: middleware) { routes in
        routes.add(HideController(log: Logger.current))
        let warden = Provide(CurrentWarden.self) { request in request.credentials("Bearer").flatMap { wardens[$0] } }
        routes.group(Path("/wardens"), middleware: [warden]) { routes in
            routes.get(Path("/me")) { request in request[CurrentWarden.self] ?? "nobody" }
        }
    }
}

struct HideController: Controller {
    let log: Logger

    func routes(_ routes: Routes) {
        routes.get(Path("/")) { _ in "Who are you?" }
        routes.post(Path("/visit"), use: begin)
        routes.post(Path("/goodbye"), use: end)
        routes.group(middleware: [RequireVisitorName()]) { routes in
            routes.get(Path("/book")) { request in "Welcome, \(try await request.session["name"] ?? "")." }
        }
    }

    func begin(_ request: Request) async throws -> Response {
        let session = try await request.session
        session["name"] = try request.form()["name"]
        session.renew()
        log.notice("A visitor has come.", metadata: ["request_id": "\(request.id ?? "")"])
        return .redirect(to: "/book")
    }

    func end(_ request: Request) async throws -> Response {
        try await request.session.end()
        return .redirect(to: "/")
    }
}

/// The page about middleware.
@Suite(.timeLimit(.minutes(5)))
struct `The middleware page` {
    private func client(isOpen: @escaping @Sendable () -> Bool = { true }) throws -> TestClient {
        TestClient(try makeHide(wardens: ["123": "Ann"], isOpen: isOpen))
    }

    private func client(logging log: LogLines) throws -> TestClient { try withLogger(log.logger) { _ in try client() } }

    @Test func `its programs are compiled`() {
        let programs = Readme.programs(of: "docs/middleware.md", missingIn: ["Docs/MiddlewarePageTests"])
        #expect(programs.count == 4)
        #expect(programs.missing == [])
    }

    @Test(.quietLog) func `a session begins, is renewed and ends`() async throws {
        let client = try client()
        #expect(try await client.get("/book").headers[.location] == "/")
        #expect(client.cookie("session") == nil)
        #expect(try await client.post("/visit", form: ["name": "Ada"], followsRedirects: true).text == "Welcome, Ada.")
        let first = try #require(client.cookie("session"))
        #expect(try await client.post("/visit", form: ["name": "Eve"], followsRedirects: true).text == "Welcome, Eve.")
        #expect(client.cookie("session") != first)
        _ = try await client.post("/goodbye")
        #expect(try await client.get("/book").headers[.location] == "/")
    }

    @Test(.quietLog) func `a filter turns requests away, inside the error pages' and the ids' part of the list`()
        async throws
    {
        let door = Door()
        let client = try client { door.isOpen.load(ordering: .relaxed) }
        let open = try await client.get("/")
        #expect(open.status == .ok && open.headers["X-Hide"] == "reeds")
        door.isOpen.store(false, ordering: .relaxed)
        let closed = try await client.get("/")
        #expect(closed.status == .serviceUnavailable && closed.text == "Birds only.")
        #expect(closed.headers[.requestID] != nil)
    }

    @Test(.quietLog) func `a value is provided to a group`() async throws {
        let client = try client()
        #expect(try await client.get("/wardens/me").text == "nobody")
        #expect(try await client.get("/wardens/me", headers: [.authorization: "Bearer 123"]).text == "Ann")
    }

    @Test func `a handler's own line is in the log of the task that made the application`() async throws {
        let log = LogLines()
        let client = try client(logging: log)
        _ = try await client.post("/visit", form: ["name": "Ada"])
        #expect(log.all.contains("A visitor has come."))
    }
}

private final class Door: Sendable {
    let isOpen = Atomic(true)
}
