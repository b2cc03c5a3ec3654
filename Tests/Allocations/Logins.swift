import CAllocations
import Logging
import PatternCore
import Patterns
import Roost
import RoostTesting

/// Counts what a login of the gallery allocates in each of its patterns, from the service's call in one login to that
/// in the next: everything but tracing. The visitor is known after the first.
enum Logins {
    private static let count = 200

    /// Returns the counts in the gallery's comparison, each with the count that was measured.
    static func counts() async throws -> [(Budget, Int)] {
        var counts: [(Budget, Int)] = []
        for figures in LoginFigures.all {
            let budget = Budget(name: "POST \(figures.pattern.path)/login", allowed: figures.allocations)
            counts.append((budget, try await count(figures.pattern)))
        }
        return counts
    }

    private static func count(_ pattern: Pattern) async throws -> Int {
        let notes = Requests.Notes(capacity: count)
        var logger = Logger(label: "allocations")
        logger.logLevel = .warning
        let templates = try Templates(sources: ["patterns/screens/login-form": #"<form id="login"></form>"#])
        let application = try Application(logger: logger, middleware: []) { routes in
            routes.add(Gallery(templates: templates, isHTTPS: false, isTraced: false) { notes.note() })
        }
        let client = TestClient(application)
        let connection = try await client.connect()
        let form = "email=test%40example.com&password=123456"
        var cookie = "a=b"
        for _ in 0..<count {
            try await connection.send(
                "POST \(pattern.path)/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(form.utf8.count)\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\nCookie: \(cookie)\r\n\r\n\(form)"
            )
            let response = try await connection.readResponse(to: .post)
            if let field = response.headers[.setCookie] { cookie = String(field.prefix { $0 != ";" }) }
            guard response.status == .seeOther else {
                throw Refused(target: pattern.path, status: response.status.code)
            }
        }
        try await client.stop()
        return notes.median
    }
}
