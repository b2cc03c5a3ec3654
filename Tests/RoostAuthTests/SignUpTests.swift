import HTTPTypes
import Roost
import RoostSQL
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

    // MARK: With rows of the application's own

    private static let databases = Keeping.allCases.filter { $0 != .memory }

    /// A database with a table of members, whose names are unique.
    private static func members(_ keeping: Keeping) async throws -> (auth: Auth, database: Database) {
        let site = try await AuthSite(keeping)
        let database = try #require(site.database)
        try await database.execute(
            """
            CREATE TABLE members (
                account BIGINT NOT NULL PRIMARY KEY REFERENCES accounts (id), name TEXT NOT NULL UNIQUE)
            """)
        return (site.auth, database)
    }

    private static func register(_ email: String, _ name: String, _ auth: Auth) async throws -> Account {
        try await auth.addAccount(email: email, password: "battery staple") { account, transaction in
            try await transaction.execute("INSERT INTO members (account, name) VALUES (\(account.id), \(name))")
        }
    }

    @Test(arguments: databases)
    func `an account is added with the rows that belong to it`(keeping: Keeping) async throws {
        let (auth, database) = try await Self.members(keeping)
        let bob = try await Self.register("bob@example.com", "bob", auth)
        #expect(try await auth.accounts.account(id: bob.id)?.account == bob)
        let name = try await database.first("SELECT name FROM members WHERE account = \(bob.id)", as: String.self)
        #expect(name == "bob")
        #expect(try await auth.audit.events(of: bob.id, limit: 10).map(\.kind) == [.accountAdded])
        await #expect(throws: AccountError.exists("bob@example.com")) {
            try await Self.register("bob@example.com", "rob", auth)
        }
    }

    @Test(arguments: databases)
    func `if its rows cannot be added, there is no account`(keeping: Keeping) async throws {
        let (auth, database) = try await Self.members(keeping)
        await #expect(throws: HTTPError.self) {
            try await auth.addAccount(email: "bob@example.com", password: "battery staple") { account, transaction in
                try await transaction.execute("INSERT INTO members (account, name) VALUES (\(account.id), 'bob')")
                throw HTTPError(.conflict)
            }
        }
        #expect(try await auth.accounts.account(email: EmailAddress(trimming: "bob@example.com")) == nil)
        #expect(try await database.first("SELECT count(*) FROM members", as: Int.self) == 0)
        _ = try await Self.register("bob@example.com", "bob", auth)
    }

    @Test(arguments: databases)
    func `of two who want one name at once, one gets it, and the other can try again`(keeping: Keeping) async throws {
        let (auth, _) = try await Self.members(keeping)
        let outcome = { @Sendable (email: String) async -> Result<Account, any Error> in
            do {
                return .success(try await Self.register(email, "robin", auth))
            } catch {
                return .failure(error)
            }
        }
        let emails = ["bob@example.com", "rob@example.com"]
        async let first = outcome(emails[0])
        async let second = outcome(emails[1])
        let outcomes = await [first, second]
        #expect(outcomes.filter { (try? $0.get()) != nil }.count == 1)
        for (email, outcome) in zip(emails, outcomes) {
            guard case .failure(let error) = outcome else { continue }
            #expect((error as? DatabaseError)?.isConflict(on: "members.name") == true, "\(error)")
            #expect(try await Self.register(email, "another", auth).email == email)
        }
    }

    @Test func `accounts in memory have no transaction for other rows, and say so`() async throws {
        let auth = try await AuthSite().auth
        await #expect(throws: NoTransactions.self) {
            try await auth.addAccount(email: "bob@example.com", password: "battery staple") { _, _ in }
        }
        #expect(try await auth.accounts.all().map(\.email) == [AuthSite.ann])
    }

    @Test func `what programs pass, such as the name of a role, is not the client's fault`() {
        for error in [AccountError.missing("ann"), .notARole("a b"), .notAScope("a b")] {
            #expect(error.httpError == nil)
        }
    }
}
