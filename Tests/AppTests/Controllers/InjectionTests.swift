import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import App

@Suite("SQL in what clients send", .quietLog, .timeLimit(.minutes(5)))
struct InjectionTests {
    static let attempts = [
        "'; DROP TABLE users; --", "' OR '1'='1", "1 OR 1=1", "1; DELETE FROM users", "\" OR \"\"=\"", "$1", "?1",
        ":id",
        "%' OR name LIKE '%", "') UNION SELECT token_hash, data, 1 FROM sessions --", "\\'; DROP TABLE users; --",
        "x' RETURNING (SELECT data FROM sessions) --", "{{users}}", "nelson'/*", "\u{0}' OR 1=1",
    ]

    @Test(arguments: attempts)
    func `is data wherever it stands`(attempt: String) async throws {
        let client = try await Site.member()
        let text = Form([("x", attempt)]).urlEncoded.dropFirst(2)
        for path in [
            "/users/\(text)", "/users?limit=\(text)", "/users?after=\(text)", "/users?before=\(text)",
            "/users?name=a&after=1.\(text)", "/users?name=a&before=1.\(text)",
        ] {
            let response = try await client.get(path)
            #expect([200, 400, 404].contains(response.status.code), "\(path)")
            #expect(response.status != .ok || response.text == "[]", "\(path): \(response.text)")
        }
        let found = try await client.get("/users?name=\(text)")
        #expect(found.status == .badRequest || found.text == "[]")
        let added = try await client.post("/users", json: ["name": attempt])
        if added.status == .created {
            let url = try #require(added.headers[.location])
            #expect(try await client.patch(url, json: ["name": attempt + "!"]).status == .ok)
            #expect(
                try await client.request(.delete, url, headers: [.ifMatch: "\"\(attempt.filter(\.isASCII))\""]).status
                    != .ok)
            #expect(try await client.request(.delete, url).status == .noContent)
        } else {
            #expect(added.status == .unprocessableContent)
        }
        let form: Form = ["name": "x", "version": attempt]
        #expect(try await client.post("/users/1", form: form).status == .unprocessableContent)
        let visitor = try Site.visitor()
        for (email, password) in [(attempt, attempt), ("test@example.com", attempt), (attempt, "123456")] {
            let response = try await visitor.post("/login", json: ["email": email, "password": password])
            #expect(response.status == .unauthorized)
        }
        let cookie = "session=" + attempt.filter { $0.isASCII && $0 != "\u{0}" && $0 != ";" }
        #expect(try await client.get("/home", headers: [.cookie: cookie]).status == .unauthorized)
        #expect(try await client.get("/users").text == UserControllerTests.twoUsers)
    }
}
