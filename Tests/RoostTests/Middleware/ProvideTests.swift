import Roost
import RoostTesting
import Testing

@Suite("Values of requests", .timeLimit(.minutes(5)))
struct ProvideTests {
    private enum CurrentUser: RequestKey { typealias Value = String }

    @Test func `handlers and pages get what a function finds`() async throws {
        let user = Provide(CurrentUser.self) { request in
            guard let token = request.credentials("Token") else { return nil }
            guard token == "7" else { throw HTTPError(.unauthorized) }
            return "Ann"
        }
        let templates = try Templates(sources: ["page": "{{user}}"])
        let application = try Application(
            templates: templates, pageValues: { ["user": $0[CurrentUser.self] ?? "nobody"] }, middleware: [ErrorPages()]
        ) { routes in
            routes.group(middleware: [user]) { routes in
                routes.get(Path("/")) { request in request[CurrentUser.self] ?? "none" }
                routes.get(Path("/page")) { _ in View("page", ["": ""]) }
            }
        }
        let client = TestClient(application)
        let ann: Headers = [.authorization: "Token 7"]
        #expect(try await client.get("/", headers: ann).text == "Ann")
        #expect(try await client.get("/page", headers: ann).text == "Ann")
        #expect(try await client.get("/").text == "none")
        #expect(try await client.get("/page").text == "nobody")
        #expect(try await client.get("/", headers: [.authorization: "Token 8"]).status == .unauthorized)
    }
}
