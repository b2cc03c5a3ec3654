import FoundationEssentials
import HTTPTypes
import Processes
import Roost
import RoostJobs
import RoostMail
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

// The programs of docs/mail.md.

struct WelcomeMail: Encodable {
    let name: String
}

struct SignUpController: Controller {
    let jobs: Jobs
    let database: Database

    func routes(_ routes: Routes) {
        routes.post(Path("/accounts"), use: create)
    }

    func create(_ request: Request) async throws -> Response {
        let account = try request.decode(NewAccount.self)
        try await database.transaction { transaction in
            try await transaction.execute(
                "INSERT INTO accounts (email, name) VALUES (\(account.email), \(account.name))")
            let address = MailAddress(account.email, name: account.name)
            let page = WelcomeMail(name: account.name)
            try await jobs.send(
                Mail(to: address, subject: "Welcome", view: "mails/welcome", page), in: transaction)
        }
        return Response(.created)
    }
}

func makeMailApp(_ database: Database, server: SMTPServer?, _ templates: Templates) throws -> Application {
    let mailer = Mailer(server, from: "Nest <nest@example.org>", templates: templates)
    let jobs = Jobs(database, [MailDelivery.self], queues: ["default": 10, "mail": 4], services: [mailer])
    let migrator = Migrator(database, [accounts] + Jobs.migrations)
    return try Application(services: [database, migrator, mailer, jobs], templates: templates) { routes in
        routes.add(SignUpController(jobs: jobs, database: database))
        if Environment.current == .development { routes.add(MailPages(mailer)) }
    }
}

// What the page leaves out.

struct NewAccount: Codable {
    let email, name: String
}

private let accounts = Migration("accounts", sql: "CREATE TABLE accounts (email TEXT PRIMARY KEY, name TEXT NOT NULL);")

@Suite(.quietLog, .timeLimit(.minutes(2)))
struct `The page about mails` {
    private let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
    private let templates: Templates

    init() throws {
        templates = try Templates(sources: [
            "mails/welcome.txt": "Hello, {{name}}!\n", "mails/welcome.html": "<p>Hello, {{name}}!</p>\n",
        ])
    }

    private func signUp(_ client: TestClient, _ email: String = "ada@example.org") async throws -> HTTPResponse.Status {
        try await client.post("/accounts", json: NewAccount(email: email, name: "Ada")).status
    }

    private func client(_ server: SMTPServer? = nil) throws -> TestClient {
        TestClient(try makeMailApp(database, server: server, templates))
    }

    @Test func `a new account gets a mail`() async throws {
        let client = TestClient(try makeMailApp(database, server: nil, templates))
        #expect(
            try await client.post("/accounts", json: NewAccount(email: "ada@example.org", name: "Ada")).status
                == .created)
        try await client.runJobs()
        #expect(client.mails.first?.subject == "Welcome")
        #expect(client.mails.first?.text == "Hello, Ada!\n")
    }

    @Test func `its programs are compiled here`() throws {
        let text = { (path: String) in
            String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        }
        let (page, source) = (try text("docs/mail.md"), try text("Tests/RoostMailTests/PageTests.swift"))
        let blocks = page.split(separator: "```swift\n").dropFirst().map {
            $0.prefix(upTo: $0.firstRange(of: "```")?.lowerBound ?? $0.startIndex)
        }
        #expect(blocks.count == 3)
        for block in blocks {
            let indented = block.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
            #expect(source.contains(block) || source.contains(indented), "\(block)")
        }
    }

    @Test func `an account that is not kept gets none`() async throws {
        let client = try client()
        for status in [HTTPResponse.Status.created, .internalServerError] {
            #expect(try await signUp(client) == status)
        }
        try await client.runJobs()
        #expect(client.mails.count == 1)
        #expect(try await signUp(client, "ada") == .internalServerError)
        #expect(try await database.first("SELECT count(*) FROM accounts", as: Int.self) == 1)
    }

    @Test func `a mail that is refused for good is dead, with the server's words`() async throws {
        let server = try FakeMailServer { $0.hasPrefix("RCPT") ? "550 no such user\r\n" : nil }
        let client = try client(SMTPServer(url: "smtp://127.0.0.1:\(server.port)"))
        #expect(try await signUp(client) == .created)
        let error = await #expect(throws: JobsFailed.self) { try await client.runJobs() }
        #expect(error.map { "\($0)".contains("550 no such user") } ?? false)
        #expect(try await client.runJobs() == 0)
        let dead = try await database.first("SELECT error FROM queued_jobs WHERE due_at IS NULL", as: String.self)
        #expect(dead?.contains("550 no such user") ?? false)
    }

    @Test func `a mail that a server does not take now waits`() async throws {
        let server = try FakeMailServer { $0.hasPrefix("RCPT") ? "450 later\r\n" : nil }
        let client = try client(SMTPServer(url: "smtp://127.0.0.1:\(server.port)"))
        #expect(try await signUp(client) == .created)
        await #expect(throws: JobsFailed.self) { try await client.runJobs() }
        #expect(try await database.first("SELECT count(*) FROM queued_jobs WHERE due_at > 0", as: Int.self) == 1)
    }

    @Test func `a queue without a mailer says so`() async throws {
        let jobs = Jobs(database, [])
        await #expect(throws: MissingService.self) {
            try await jobs.send(Mail(to: "ada@example.org", subject: "", text: ""))
        }
    }

    @Test func `a large mail to many is added in parts, and to all of them or to none`() async throws {
        let log = LogLines(.debug)
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")), logger: log.logger)
        let mailer = Mailer(nil, from: "nest@example.org")
        let jobs = Jobs(database, [MailDelivery.self], queues: ["default": 1, "mail": 4], services: [mailer])
        let services: [any Service] = [database, Migrator(database, Jobs.migrations), mailer, jobs]
        let application = try Application(services: services, middleware: []) { routes in
            routes.post(Path("/")) { _ in
                let text = String(repeating: "a ", count: 1 << 19)
                var mail = Mail(to: "ada@example.org", subject: "Large", text: text)
                mail.bcc = (1...4).map { MailAddress("a\($0)@example.org") }
                try await jobs.send(mail)
                return ""
            }
            routes.post(Path("/full")) { _ in
                try await database.execute(
                    """
                    CREATE TRIGGER full BEFORE INSERT ON queued_jobs WHEN (SELECT count(*) FROM queued_jobs) = 3
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
                return ""
            }
        }
        let client = TestClient(application)
        #expect(try await client.post("/full").status == .ok)
        #expect(try await client.post("/").status == .internalServerError)
        #expect(try await database.first("SELECT count(*) FROM queued_jobs", as: Int.self) == 0)
        try await database.execute("DROP TRIGGER full")
        let before = log.all.count
        #expect(try await client.post("/").status == .ok)
        #expect(log.all.dropFirst(before).count { $0.contains("INSERT INTO queued_jobs") } == 5)
        #expect(try await client.runJobs() == 5)
        #expect(mailer.mails.map(\.recipients.count) == [5])
    }
}
