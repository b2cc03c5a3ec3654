import Engines
import Roost
import RoostTesting
import Synchronization

@testable import RoostSQL

/// A site whose handler counts how often it runs, and whose clock a test moves.
final class Nest: Sendable {
    typealias Handler = @Sendable (Int) async throws -> Response

    private let count = Atomic(0)
    private let clock = TestClock()
    private let handler = Mutex<Handler> { .text("\($0)") }
    let database: Database
    let keys: IdempotencyKeys
    private let required: IdempotencyKeys

    private init(_ database: Database) {
        self.database = database
        keys = withClock(clock) {
            IdempotencyKeys(
                database, attemptTime: .seconds(60), maximumRequestSize: 1000, maximumResponseSize: 100)
        }
        required = IdempotencyKeys(database, isRequired: true)
    }

    static func run(_ engine: Engine, _ body: @escaping @Sendable (Nest) async throws -> Void) async throws {
        try await engine.run { databases in
            try await Migrator(databases[0], IdempotencyKeys.migrations, logger: LogLines().logger).run()
            let nest = Nest(databases[0])
            try await body(nest)
            await nest.keys.settle()
        }
    }

    var runs: Int { count.load(ordering: .relaxed) }

    func handle(_ new: @escaping Handler) { handler.withLock { $0 = new } }

    func advance(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }

    func client(peer: String? = nil) -> TestClient {
        let application = try? Application(
            logger: LogLines().logger, api: APIDescription(title: "Eggs", version: "1"),
            templates: Templates(sources: ["form": "{{fault}}"])
        ) { routes in
            routes.group(middleware: [keys]) { routes in
                routes.post(Path("/form")) { request in
                    let statuses = InvalidForm.statuses.union([.serviceUnavailable])
                    return try await request.handleForm([String: String].self, showing: statuses) { _ in
                        try await self.answer()
                    } invalid: { form in
                        View("form", ["fault": form.message ?? ""])
                    }
                }
            }
            routes.group(middleware: [AccountInPath(), keys], described: true) { routes in
                routes.post(Path("/eggs")) { _ in try await self.answer() }
                routes.patch(Path("/eggs")) { _ in try await self.answer() }
                routes.put(Path("/eggs")) { _ in try await self.answer() }
                routes.post(Path("/nests/{path}", RemainingPath.self)) { _, _ in try await self.answer() }
                routes.post(Path("/accounts/{id}", Int.self)) { _, _ in try await self.answer() }
            }
            routes.group(middleware: [required], described: true) { routes in
                routes.post(Path("/required")) { _ in try await self.answer() }
                routes.get(Path("/required")) { _ in try await self.answer() }
            }
        }
        guard let application else { preconditionFailure("The application of the test does not start.") }
        let address = peer.flatMap { IPAddress($0) }.map { PeerAddress.tcp($0, port: 1) }
        let client = TestClient(application, peer: address ?? .loopback)
        client.checksDescription = false
        return client
    }

    private func answer() async throws -> Response {
        let run = count.add(1, ordering: .relaxed).newValue
        return try await handler.withLock { $0 }(run)
    }
}

/// Says, like a guard, for which account a request acts.
private struct AccountInPath: Middleware {
    func respond(to request: Request, next: Next) async throws -> Response {
        let parts = request.path.split(separator: "/")
        if parts.first == "accounts", let id = Int(parts[1]) { request.log(accountID: id) }
        return try await next(request)
    }
}
