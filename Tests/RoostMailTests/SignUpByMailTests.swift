import FoundationEssentials
import HTTPTypes
import Roost
import RoostAuth
import RoostJobs
import RoostMail
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

// The program of docs/sign-up.md, letter for letter.

struct SignUpByMail: Controller {
    static let begin = Path("/sign-up")
    static let finish = Path("/sign-up/password")

    let auth: Auth
    let jobs: Jobs
    let key: SigningKey
    let site: PublicURL
    let time = TimeSource.current

    func routes(_ routes: Routes) {
        routes.group(middleware: [RateLimit(5, per: .hours(1))]) { $0.post(Self.begin, use: sendLink) }
        routes.get(Self.finish, use: showForm)
        routes.post(Self.finish, use: addAccount)
    }

    func sendLink(_ request: Request) async throws -> Response {
        let email = try request.decode(AddressInput.self).email
        let end = time.secondsSince1970() + 86_400
        let code = key.sign("\(end) \(email)", for: "sign up")
        let text = "Choose a password here: \(site)\(Self.finish.url())?code=\(code)"
        try await jobs.send(Mail(to: MailAddress(email), subject: "Your account", text: text))
        return .text("A mail is on its way to \(email).")
    }

    func showForm(_ request: Request) throws -> View {
        let code = request.query["code"] ?? ""
        _ = try address(in: code)
        return View("sign-up", PasswordPage(code: code))
    }

    func addAccount(_ request: Request) async throws -> Response {
        try await request.handleForm(PasswordInput.self) { input in
            let email = try address(in: input.code)
            do {
                let account = try await auth.addAccount(email: email, password: input.password, request)
                return try await auth.signIn(account, request).response(.redirect(to: "/me"))
            } catch let error as InvalidPassword {
                throw HTTPError(.unprocessableContent, field: "password", error.sentence)
            }
        } invalid: { form in
            View("sign-up", PasswordPage(code: form["code"], fields: PasswordPage.fields.typed(form)))
        }
    }

    /// The address for which a code was made, within the last day.
    private func address(in code: String) throws -> String {
        let parts = key.text(in: code, for: "sign up")?.split(separator: " ", maxSplits: 1) ?? []
        guard parts.count == 2, let end = Int(parts[0]), end > time.secondsSince1970() else {
            throw HTTPError(.gone, "This link does not work any more.")
        }
        return String(parts[1])
    }
}

struct AddressInput: Decodable, Validatable {
    var email: String

    mutating func validate(_ check: inout Validation) {
        check("email", &email, .trimmed, .required, .length(...254), .email)
    }
}

struct PasswordInput: Decodable {
    let code, password: String
}

struct PasswordPage: Encodable {
    static let fields = FieldSet(.password("password", "Password").required)

    let code: String
    var fields = Self.fields
}

// What the page leaves out.

private func makeSignUpSite(_ database: Database) throws -> Application {
    let key = SigningKey.random()
    let auth = Auth(database, key: key, isHTTPS: true)
    let templates = try Templates(sources: [
        "sign-up": """
        <input type="hidden" name="code" value="{{code}}">{{#fields.error}}<i>{{.}}</i>{{/fields.error}}\
        {{#fields.password}}{{#error}}<b>{{.}}</b>{{/error}}{{/fields.password}}
        """
    ])
    let mailer = Mailer(nil, from: "Nest <nest@example.com>")
    let jobs = Jobs(database, [MailDelivery.self], queues: ["default": 1, "mail": 1], services: [mailer])
    let migrations =
        [Migration("sessions", sql: SQLSessionStore.schema)] + AuthMigrations.all + Jobs.migrations
    let site = try PublicURL("https://example.com")
    return try Application(
        services: [database, Migrator(database, migrations), auth, mailer, jobs], templates: templates,
        middleware: Application.standardMiddleware(isHTTPS: true) + [Sessions(auth.sessions, isHTTPS: true)]
    ) { routes in
        routes.add(SignUpByMail(auth: auth, jobs: jobs, key: key, site: site))
        routes.group(middleware: [auth.requireUser()]) { routes in
            routes.get(Path("/me")) { request in try await request.currentUser?.email ?? "nobody" }
        }
    }
}

@Suite("The page about signing up by mail", .quietLog, .timeLimit(.minutes(5)))
struct SignUpByMailTests {
    private let database: Database
    private let clock = TestClock()
    private let client: TestClient
    private let browser: Headers = [.accept: "text/html"]

    init() throws {
        let memory = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        database = memory
        client = TestClient(try withClock(clock) { try makeSignUpSite(memory) }, host: "example.com")
    }

    /// Asks for a mail, and returns the path and the query of the link in it.
    private func link(_ email: String) async throws -> String {
        let response = try await client.post("/sign-up", form: ["email": email], headers: browser)
        #expect(response.text == "A mail is on its way to \(email).", "\(response)")
        try await client.runJobs()
        let text = try #require(client.mails.first?.text)
        let start = try #require(text.firstRange(of: "https://example.com/")?.upperBound)
        return "/" + text[start...].prefix { !$0.isWhitespace }
    }

    private func code(_ link: String) throws -> String {
        let start = try #require(link.firstRange(of: "?code=")?.upperBound)
        return String(link[start...])
    }

    private func send(_ code: String, _ password: String) async throws -> WireClient.Response {
        try await client.post(
            "/sign-up/password", form: ["code": code, "password": password], headers: browser)
    }

    @Test func `who follows the link in the mail chooses a password, and has an account`() async throws {
        let link = try await link("ada@example.org")
        let code = try code(link)
        #expect(try await client.get(link, headers: browser).text.contains("value=\"\(code)\""))
        #expect(try await database.first("SELECT count(*) FROM accounts", as: Int.self) == 0)
        let short = try await send(code, "short")
        #expect(short.status == .unprocessableContent)
        #expect(short.text.contains("<b>Password must have at least 8 characters</b>"), "\(short)")
        let added = try await send(code, "battery staple")
        #expect(added.status == .seeOther, "\(added)")
        #expect(try await client.get("/me", headers: browser).text == "ada@example.org")
        let sql: SQL = "SELECT count(*) FROM audit_log WHERE address IS NULL"
        #expect(try await database.first(sql, as: Int.self) == 0)
        let again = try await send(code, "battery staple")
        #expect(again.status == .conflict && again.text.contains("<i>There is an account"), "\(again)")
    }

    @Test func `a link works for a day, and with its own code alone`() async throws {
        let link = try await link("ada@example.org")
        let code = try code(link)
        for wrong in ["", "x", String(code.dropFirst()), code + "x"] {
            #expect(try await send(wrong, "battery staple").status == .gone)
        }
        clock.advance(by: .hours(24))
        #expect(try await client.get(link, headers: browser).status == .gone)
        #expect(try await send(code, "battery staple").status == .gone)
    }

    @Test func `an address with an account gets the same answer, and nobody asks without end`() async throws {
        let link = try await link("ada@example.org")
        #expect(try await send(try code(link), "battery staple").status == .seeOther)
        for _ in 0..<4 { _ = try await self.link("ada@example.org") }
        let more = try await client.post("/sign-up", form: ["email": "bob@example.org"], headers: browser)
        #expect(more.status == .tooManyRequests)
    }

    @Test func `a text that is no address gets no mail`() async throws {
        let response = try await client.post("/sign-up", form: ["email": "ada"], headers: browser)
        #expect(response.status == .unprocessableContent)
        #expect(try await client.runJobs() == 0)
    }

    @Test func `its program is compiled here`() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let page = try String(contentsOfFile: root + "/docs/sign-up.md", encoding: .utf8)
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let blocks = page.split(separator: "```swift\n").dropFirst()
            .compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == 1)
        for block in blocks { #expect(source.contains(block), "\(block)") }
    }
}
