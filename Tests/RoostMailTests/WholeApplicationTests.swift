import FoundationEssentials
import Roost
import RoostAuth
import RoostJobs
import RoostMail
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

// The program of docs/application.md, letter for letter.

let guestbook = """
    CREATE TABLE greetings (id ${identity}, text ${text} NOT NULL, day ${text} NOT NULL, email ${text} NOT NULL);
    """

/// The application, from what the environment says: the same for the program and for its tests.
func makeGuestbook(
    _ database: Database, _ variables: [String: String], folder: String = "."
) throws -> Application {
    // The settings.
    let isHTTPS = try PublicURL(environment: variables)?.isHTTPS ?? false
    let key = try SigningKey(environment: variables) ?? .random()
    let zone = try ZoneInfo(environment: variables)

    // Files, pages, languages.
    let files = try StaticFiles(folder + "/public")
    let templates = try Templates(directory: folder + "/Templates", assets: files)
    let tables = try MessageTable.all(in: folder + "/Languages")

    // Accounts, mails, jobs: each is a service, and the database comes before those that need it.
    let auth = Auth(database, key: key, isHTTPS: isHTTPS)
    let server = try variables["SMTP_URL"].map { try SMTPServer(url: $0) }
    let mailer = Mailer(server, from: "Guestbook <guestbook@example.org>", templates: templates)
    let jobs = Jobs(
        database, [MailDelivery.self, Tidying.self], queues: ["default": 10, "mail": 4],
        schedules: [JobSchedule("30 3 * * *", Tidying(), in: zone)], services: [mailer])
    let migrations =
        [Migration("greetings", sql: guestbook), Migration("sessions", sql: SQLSessionStore.schema)]
        + AuthMigrations.all + Jobs.migrations

    return try Application(
        services: [database, Migrator(database, migrations), auth, mailer, jobs],
        api: APIDescription(title: "Guestbook", version: "1"),
        templates: templates,
        pageValues: { try await GuestbookValues($0) },
        // From the outside in. Languages and time zones come first, so that error pages have them, too.
        middleware: [
            Languages(tables, cookie: "language", parameter: "language", isHTTPS: isHTTPS),
            TimeZones(zone, cookie: "time_zone"),
        ]
            + Application.standardMiddleware(isHTTPS: isHTTPS)
            + [
                MethodOverride(), Flash(key: key, isHTTPS: isHTTPS), Sessions(auth.sessions, isHTTPS: isHTTPS),
                Users(auth) { Guest(email: $0.email) },
            ]
    ) { routes in
        let greetings = Greetings(database: database, jobs: jobs)
        routes.get(Path("/")) { _ in Response.redirect(to: GreetingController.all.url()) }
        routes.add(SignInController(auth: auth))
        routes.add(GreetingController(greetings: greetings, members: auth.requireUser()))
        routes.group(Path("/api"), described: true) { api in
            api.get(Path("/greetings")) { _ in JSON(try await greetings.all()) }
                .describe("Lists the newest hundred greetings.")
        }
        if Environment.current == .development { routes.add(MailPages(mailer)) }
        routes.fallback(files)
    }
}

/// The values that the layout shows on every page.
struct GuestbookValues: Encodable {
    let language: String
    let email: String?
    let flash: [String]

    init(_ request: Request) async throws {
        language = request.messages.language
        email = try await request.guest?.email
        flash = request.takeFlash()
    }
}

/// Somebody who has signed in, as this application sees it.
struct Guest: Sendable {
    let email: String
}

extension Request {
    var guest: Guest? { get async throws { try await user(Guest.self) } }
}

struct Greeting: Codable, Sendable {
    let id: Int
    let text: String
    let day: LocalDate
}

struct ThanksMail: Encodable {
    let text: String
}

/// Keeps greetings, and sends thanks for each. It knows nothing of HTTP.
struct Greetings: Sendable {
    let database: Database
    let jobs: Jobs

    func all() async throws -> [Greeting] {
        try await database.query("SELECT id, text, day FROM greetings ORDER BY id DESC LIMIT 100", as: Greeting.self)
    }

    func add(_ text: String, on day: LocalDate, by guest: Guest, in messages: MessageTable) async throws {
        try await database.transaction { transaction in
            try await transaction.execute(
                "INSERT INTO greetings (text, day, email) VALUES (\(text), \(day), \(guest.email))")
            let page = ThanksMail(text: text)
            let subject = "Thank you for your greeting"
            try await jobs.send(
                Mail(to: MailAddress(guest.email), subject: subject, view: "mails/thanks", page, in: messages),
                in: transaction)
        }
    }
}

/// The job of the night.
struct Tidying: Job {
    func run(_ context: JobContext) async throws {
        try await context.database.execute("DELETE FROM greetings WHERE text = ''")
    }
}

struct GreetingInput: Decodable, Validatable {
    var text: String

    mutating func validate(_ check: inout Validation) { check("text", &text, .trimmed, .required, .length(...200)) }
}

struct GreetingsPage: Encodable {
    static let fields = FieldSet(.text("text", "Your greeting", length: 200).required)

    let greetings: [Greeting]
    var fields = Self.fields
}

/// `/greetings`: everybody reads them, members write some, and an open page shows new ones by itself.
struct GreetingController: Controller {
    static let all = Path("/greetings")

    let greetings: Greetings
    let members: any Middleware
    let additions = Topic<String>()

    func routes(_ routes: Routes) {
        routes.get(Self.all) { _ in View("greetings", GreetingsPage(greetings: try await greetings.all())) }
        routes.live(Self.all, on: additions)
        routes.group(middleware: [members]) { $0.post(Self.all, use: create) }
    }

    func create(_ request: Request) async throws -> Response {
        try await request.handleForm(GreetingInput.self) { input in
            guard let guest = try await request.guest else { throw HTTPError(.unauthorized) }
            try await greetings.add(input.text, on: request.today, by: guest, in: request.messages)
            additions.publish(input.text)
            try request.flash(request.messages.text("Your greeting is here."))
            return .redirect(to: Self.all.url())
        } invalid: { form in
            View(
                "greetings",
                GreetingsPage(greetings: try await greetings.all(), fields: GreetingsPage.fields.typed(form)))
        }
    }
}

/// `/login` and `/logout`
struct SignInController: Controller {
    let auth: Auth

    func routes(_ routes: Routes) {
        routes.get(Path("/login")) { request in View("login", ["next": SignInInput.localPath(request.query["next"])]) }
        routes.post(Path("/login")) { request in
            let input = try request.decode(SignInInput.self)
            let signIn = try await auth.signIn(input, request)
            return try signIn.response(.redirect(to: input.localNext ?? GreetingController.all.url()))
        }
        routes.post(Path("/logout")) { request in
            try await auth.signOut(request)
            return Response.redirect(to: GreetingController.all.url())
        }
    }
}

// MARK: Its test

@Suite("The page about a whole application", .quietLog, .timeLimit(.minutes(5)))
struct WholeApplicationTests {
    private static let files = [
        "public/style.css": "body { margin: 2rem; }",
        "Languages/de.po": """
        msgid "Greetings"
        msgstr "Grüße"

        msgid "Your greeting is here."
        msgstr "Dein Gruß ist da."

        msgid "Thank you for your greeting"
        msgstr "Danke für deinen Gruß"

        msgid "Must not be empty."
        msgstr "Darf nicht leer sein."
        """,
        "Templates/layout.mustache": """
        <html lang="{{language}}"><head>{{liveScript}}</head><body>{{#email}}<i>{{.}}</i>{{/email}}
        {{#flash}}<p role="status">{{.}}</p>{{/flash}}{{$content}}{{/content}}</body></html>
        """,
        "Templates/greetings.mustache": """
        {{<layout}}{{$content}}<h1>{{t "Greetings"}}</h1>
        {{#fields.all}}<input name="{{name}}" value="{{value}}">{{#error}}<b>{{.}}</b>{{/error}}{{/fields.all}}
        <ul id="all" data-live>{{#greetings}}<li id="greeting-{{id}}">{{text}}, {{date day}}</li>{{/greetings}}</ul>
        {{/content}}{{/layout}}
        """,
        "Templates/login.mustache": """
        {{<layout}}{{$content}}<form method="post"><input name="email"><input name="password">{{#next}}
        <input name="next" value="{{.}}">{{/next}}</form>{{/content}}{{/layout}}
        """,
        "Templates/mails/thanks.txt.mustache": "{{text}}",
    ]

    private static func with(_ clock: TestClock, _ body: (TestClient) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/guestbook-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, text) in files {
            let path = folder + "/" + name
            let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)
            try FileManager.default.createDirectory(atPath: String(parent), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        let variables = ["TIME_ZONE": "Pacific/Kiritimati"]
        try await body(TestClient(try withClock(clock) { try makeGuestbook(database, variables, folder: folder) }))
    }

    private let browser: Headers = [.accept: "text/html", .acceptLanguage: "de"]

    @Test func `it greets in the language and on the day of the visitor, and thanks by mail`() async throws {
        try await Self.with(TestClock()) { client in
            let refused = try await client.post("/greetings", form: ["text": "Hi"], headers: browser)
            #expect(refused.headers[.location]?.hasPrefix("/login?next=") == true)
            #expect(try await client.get("/login?next=/greetings", headers: browser).status == .ok)
            try await client.signIn(as: "ada@example.org")
            let open = try await client.live("/greetings")
            let empty = try await client.post("/greetings", form: ["text": " "], headers: browser)
            #expect(empty.status == .unprocessableContent && empty.text.contains("<b>Darf nicht leer sein.</b>"))
            let before = try #require(ZoneInfo("Pacific/Kiritimati")).localTime(at: Date()).date
            let page = try await client.post(
                "/greetings", form: ["text": "Hi"], headers: browser, followsRedirects: true)
            #expect(page.text.contains("<html lang=\"de\">") && page.text.contains("<h1>Grüße</h1>"))
            #expect(page.text.contains("Dein Gruß ist da.") && page.text.contains("<i>ada@example.org</i>"))
            let days = [before, before.adding(days: 1)].compactMap { $0 }.map { MessageTable("de").date($0) }
            #expect(days.contains { page.text.contains("Hi, \($0)</li>") })
            try await open.next()
            #expect(open.outerHTML(of: "greeting-1") != nil)
            try await client.runJobs()
            #expect(client.mails.first?.subject == "Danke für deinen Gruß")
            #expect(try await client.get("/api/greetings").json([Greeting].self).map(\.text) == ["Hi"])
            let description = try await client.get("/api/openapi.json").json(JSONValue.self)
            #expect(description["paths"]?["/api/greetings"] != nil)
            #expect(try await client.get("/style.css").status == .ok)
        }
    }

    @Test func `its program is compiled here`() throws {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let page = try String(contentsOfFile: root + "/docs/application.md", encoding: .utf8)
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let blocks = page.split(separator: "```swift\n").dropFirst().map {
            $0.prefix(upTo: $0.firstRange(of: "```")?.lowerBound ?? $0.startIndex)
        }
        #expect(blocks.count == 1)
        for block in blocks { #expect(source.contains(block), "\(block)") }
    }
}
