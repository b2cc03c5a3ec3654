import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import RoostAuth

/// A form by which people add accounts of their own, which catches no error itself.
@Suite("Signing up", .quietLog, .timeLimit(.minutes(5)))
struct SignUpTests {
    private struct Input: Decodable {
        var email, password: String
    }

    private static func client() async throws -> TestClient {
        let auth = try await AuthSite().auth
        return TestClient(
            try Application(
                logger: .current, templates: Templates(sources: ["form": "{{email}}|{{fault}}"]),
                middleware: [ErrorPages(logger: .current, explains: false)]
            ) { routes in
                routes.post(Path("/accounts")) { request -> Response in
                    try await request.handleForm(Input.self) { input in
                        try await auth.addAccount(email: input.email, password: input.password, request)
                        return .redirect(to: "/login")
                    } invalid: { form in
                        View("form", ["email": form["email"], "fault": form.message ?? ""])
                    }
                }
            })
    }

    @Test func `an address that is taken, or none, shows the form again, and says why`() async throws {
        let client = try await Self.client()
        let sent: [(String, HTTPResponse.Status, String)] = [
            ("bob@example.com", .seeOther, ""),
            (
                "bob@example.com", .conflict,
                "bob@example.com|There is an account with the address bob@example.com already."
            ),
            ("bob", .unprocessableContent, "bob|&quot;bob&quot; is not an email address."),
        ]
        for (email, status, text) in sent {
            let form: Form = ["email": email, "password": "battery staple"]
            let response = try await client.post("/accounts", form: form, headers: [.accept: "text/html"])
            #expect(response.status == status)
            #expect(response.text == text)
        }
    }

    @Test func `an address that is taken costs no hash`() async throws {
        let site = try await AuthSite()
        let before = site.function.hashes
        await #expect(throws: AccountError.exists(AuthSite.ann.uppercased())) {
            try await site.auth.addAccount(email: AuthSite.ann.uppercased(), password: "battery staple")
        }
        #expect(site.function.hashes == before)
        try await site.auth.addAccount(email: "bob@example.com", password: "battery staple")
        #expect(site.function.hashes == before + 1)
    }

    @Test func `what programs pass, such as the name of a role, is not the client's fault`() {
        for error in [AccountError.missing("ann"), .notARole("a b"), .notAScope("a b")] {
            #expect(error.httpError == nil)
        }
    }
}
