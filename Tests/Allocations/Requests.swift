import CAllocations
import Logging
import Roost
import RoostSQL
import RoostTesting
import Synchronization

/// Counts what whole requests allocate on the thread of their loop.
///
/// The handler notes how much its thread has allocated so far. The difference between two calls is everything that the
/// server did in between: the rest of the first request, and the second up to its handler.
struct Requests {
    /// The thread's allocations at each call.
    final class Notes: Sendable {
        private let counts: Mutex<[UInt]>

        init(capacity: Int) {
            var empty: [UInt] = []
            empty.reserveCapacity(capacity)
            counts = Mutex(empty)
        }

        func note() { counts.withLock { $0.append(roost_allocations()) } }

        /// The median of the differences, which a timer that ran in between does not change.
        var median: Int {
            let counts = counts.withLock { $0 }
            return Int(zip(counts, counts.dropFirst()).map { $1 - $0 }.sorted()[counts.count / 2])
        }
    }

    private static let count = 200

    /// Counts one request after the other on one connection.
    static func count(
        _ target: String, accept: String = "*/*", middleware: [any Middleware] = []
    ) async throws -> Int {
        let notes = Notes(capacity: count)
        let (database, remove) = try await UserRow.database()
        defer { remove() }
        let client = TestClient(try application(middleware, notes, database))
        let connection = try await client.connect()
        for _ in 0..<count {
            try await connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\n\r\n")
            let response = try await connection.readResponse(to: .get)
            guard response.status == .ok else { throw Refused(target: target, status: response.status.code) }
        }
        try await client.stop()
        return notes.median
    }

    private static func application(
        _ middleware: [any Middleware], _ notes: Notes, _ database: Database
    ) throws -> Application {
        let templates = try Templates(sources: ["users": UsersPage.template])
        var logger = Logger(label: "allocations")
        logger.logLevel = .warning
        return try Application(
            logger: logger, services: [database], templates: templates, middleware: middleware
        ) { routes in
            routes.get(Path("/plaintext")) { _ in
                notes.note()
                return Response(.ok, "text/plain", Body("Hello, World!"))
            }
            routes.get(Path("/json")) { _ in
                notes.note()
                return JSON(User.two)
            }
            routes.get(Path("/hello/{name}", String.self)) { _, name in
                notes.note()
                return Response(.ok, "text/plain", Body("Hello, \(name)!"))
            }
            routes.get(Path("/users.html")) { _ in
                notes.note()
                return View("users", UsersPage.hundred)
            }
            routes.get(Path("/rows/{id}", Int.self)) { request, id in
                notes.note()
                let row = try await database.first("SELECT id, name FROM users WHERE id = \(id)", as: UserRow.self)
                guard let row else { throw HTTPError(.notFound) }
                return request.negotiate(json: row, html: View("users", UsersPage.two))
            }
            routes.get(Path("/users")) { request in
                notes.note()
                return request.negotiate(json: User.two, html: View("users", UsersPage.two))
            }
        }
    }

    /// The middleware around the site's handlers.
    static func siteMiddleware() -> [any Middleware] {
        var logger = Logger(label: "allocations")
        logger.logLevel = .warning
        return Application.standardMiddleware(logger: logger) + [Sessions(MemorySessionStore(), isHTTPS: false)]
    }
}

/// A request whose response was not 200 must not be counted.
struct Refused: Error, CustomStringConvertible {
    let target: String
    let status: Int

    var description: String { "GET \(target) was answered with \(status)" }
}
