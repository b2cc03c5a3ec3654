import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

@Suite("What is refused before it is a request", .timeLimit(.minutes(5)))
struct RefusalTests {
    /// The same as other errors have, so that a description of the API is right about it.
    @Test func `its content is what the problem details of the same error are`() throws {
        var reasons = ParseError.allCases.map { ($0.status, $0.reason) }
        reasons.append((.serviceUnavailable, try #require(HTTPError.memoryIsFull.message)))
        for (status, reason) in reasons {
            let problem = Response.problem(HTTPError(status, reason))
            #expect(try Array(Refusal.text(status, reason).utf8) == problem.body.bytes)
            #expect(problem.headers[.contentType] == Refusal.contentType)
        }
    }

    @Test(arguments: ["/users/%zz", "/users?x=%"])
    func `a malformed escape gets problem details`(target: String) async throws {
        let client = TestClient(try Application { routes in routes.get(Path("/users")) { _ in "users" } })
        let response = try await client.get(target)
        #expect(response.status == .badRequest)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.text == Refusal.text(.badRequest, ParseError.malformedEscape.reason))
    }
}
