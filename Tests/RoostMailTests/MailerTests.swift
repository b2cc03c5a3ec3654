import FoundationEssentials
import HTTPTypes
import Roost
import RoostJobs
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import RoostMail

private struct Welcome: Encodable {
    let name: String
}

private let templates = Result {
    try Templates(sources: [
        "mails/welcome.txt": "Hello, {{name}}!\n{{>mails/signature}}",
        "mails/welcome.html": "<p>Hello, {{name}}!</p>{{>mails/signature}}",
        "mails/signature": "{{name}}",
        "mails/note.txt": "{{name}} & co.",
    ])
}

@Suite(.quietLog, .timeLimit(.minutes(2)))
struct MailerTests {
    private func mailer(_ templates: Templates?) -> Mailer {
        Mailer(nil, from: "nest@example.org", templates: templates)
    }

    @Test func `a view is shown as text and as HTML, escaped in the HTML only`() throws {
        let mail = try mailer(templates.get()).make(
            Mail(to: "ada@example.org", subject: "Hi", view: "mails/welcome", Welcome(name: "<Ada & Co.>")))
        #expect(mail.text == "Hello, <Ada & Co.>!\n<Ada & Co.>")
        #expect(mail.html == "<p>Hello, &lt;Ada &amp; Co.&gt;!</p>&lt;Ada &amp; Co.&gt;")
    }

    @Test func `a mail is written in the language and the time zone of its receiver`() throws {
        struct Reminder: Encodable {
            let start = Date(timeIntervalSince1970: 1_795_647_600)
            let count = 2
        }
        let templates = try Templates(sources: [
            "mails/reminder.txt": #"{{t "{count} seats" count}}: {{dateTime start}}"#,
            "mails/reminder.html": #"<p>{{t "{count} seats" count}}</p>"#,
        ])
        let german = MessageTable("de", ["Your visit": "Dein Besuch", "{count} seats": "{count} Plätze"])
        let berlin = try #require(ZoneInfo("Europe/Berlin"))
        let send = { (messages: MessageTable?) in
            try mailer(templates).make(
                Mail(to: "ada@example.org", subject: "Your visit", view: "mails/reminder", Reminder(), in: messages))
        }
        let mail = try send(german.in(berlin))
        #expect(mail.subject == "Dein Besuch")
        #expect(mail.text == "2 Plätze: 26.11.2026, 00:00" && mail.html == "<p>2 Plätze</p>")
        let english = try send(nil)
        #expect(english.subject == "Your visit" && english.text == "2 seats: Nov 25, 2026, 11:00 PM")
        var plain = Mail(to: "ada@example.org", subject: "Your visit", text: "Hi")
        plain.messages = german
        #expect(try mailer(nil).make(plain).subject == "Your visit")
    }

    @Test func `a view needs no HTML version`() throws {
        let mail = try mailer(templates.get()).make(
            Mail(to: "ada@example.org", subject: "Hi", view: "mails/note", Welcome(name: "Ada")))
        #expect(mail.text == "Ada & co.")
        #expect(mail.html == nil)
    }

    @Test func `a view that is not there, and one without templates`() throws {
        let mail = Mail(to: "ada@example.org", subject: "Hi", view: "mails/welcom", Welcome(name: "Ada"))
        let error = #expect(throws: TemplateError.self) { try mailer(templates.get()).make(mail) }
        #expect(error.map { "\($0)".contains("did you mean \"mails/welcome.txt\"") } ?? false)
        #expect(throws: MailError.noTemplates("mails/welcom")) { try mailer(nil).make(mail) }
    }

    @Test func `the views of a mail can be checked with those of an application`() throws {
        let templates = try templates.get()
        let page = Welcome(name: "Ada")
        let views = [
            Mail(to: "ada@example.org", subject: "", view: "mails/welcome", page),
            Mail(to: "ada@example.org", subject: "", view: "mails/note", page),
        ].flatMap { $0.views(in: templates) }
        #expect(views.map(\.template) == ["mails/welcome.txt", "mails/welcome.html", "mails/note.txt"])
        try templates.check(views)
    }

    @Test func `the start asks for the text of an HTML mail, and for a sender`() async throws {
        let html = try Templates(sources: ["mails/bill.html": "<p>Bill</p>"])
        let error = await #expect(throws: StartError.self) { try await mailer(html).start() }
        #expect(
            error.map { "\($0)" }
                == "Templates/mails/bill.html.mustache has no text for programs that show no HTML: "
                + "write it into Templates/mails/bill.txt.mustache.")
        try await mailer(templates.get()).start()
        let sender = await #expect(throws: StartError.self) { try await Mailer(nil, from: "nest").start() }
        #expect(sender.map { "\($0)" } == "Mails cannot come from \"nest\", which is no email address.")
    }

    @Test func `a text template is plain text for a browser, too`() async throws {
        let app = try Application(templates: templates.get()) { routes in
            routes.get(Path("/note")) { _ in View("mails/note.txt", Welcome(name: "<Ada>")) }
        }
        let response = try await TestClient(app).get("/note")
        #expect(response.headers[.contentType] == "text/plain; charset=utf-8")
        #expect(response.text == "<Ada> & co.")
    }

    // MARK: Without a server

    @Test func `without a server, mails are kept, the newest first`() async throws {
        let mailer = try mailer(templates.get())
        var mail = Mail(to: "ada@example.org", "bob@example.org", subject: "One", text: "1")
        mail.bcc = ["eve@example.org"]
        for mail in [mail, Mail(to: "ada@example.org", subject: "Two", text: "2")] {
            let mail = try mailer.make(mail)
            for recipient in mail.recipients {
                try await mailer.deliver(MailDelivery(mail: mail, recipient: recipient))
            }
        }
        #expect(mailer.mails.map(\.subject) == ["Two", "One"])
        #expect(mailer.mails.last?.recipients == ["ada@example.org", "bob@example.org", "eve@example.org"])
    }

    @Test func `they are shown as pages, on which nothing of theirs runs`() async throws {
        let mailer = try mailer(templates.get())
        let evil = "<script>alert(1)</script>"
        for name in ["Ada", evil] {
            let mail = try mailer.make(
                Mail(to: "ada@example.org", subject: name, view: "mails/welcome", Welcome(name: name)))
            try await mailer.deliver(MailDelivery(mail: mail, recipient: "ada@example.org"))
        }
        let client = TestClient(
            try Application(middleware: [SecurityHeaders(isHTTPS: false)]) { $0.add(MailPages(mailer)) })
        let list = try await client.get("/dev/mails")
        #expect(list.status == .ok && !list.text.contains("<script"))
        #expect(list.text.contains("href=\"/dev/mails/2\"") && list.text.contains("&lt;script&gt;"))
        let mail = try await client.get("/dev/mails/2")
        #expect(!mail.text.contains("<script") && mail.text.contains("src=\"/dev/mails/2/html\""))
        let html = try await client.get("/dev/mails/2/html")
        #expect(html.headers[.contentSecurityPolicy]?.hasPrefix("sandbox; default-src 'none'") ?? false)
        #expect(html.headers[.xFrameOptions] == "SAMEORIGIN")
        for path in ["/dev/mails/0", "/dev/mails/3", "/dev/mails/x", "/dev/mails/-1"] {
            #expect(try await client.get(path).status == .notFound)
        }
    }

    @Test func `a mail keeps its page when others come, until it is one of the latest no more`() async throws {
        let mailer = mailer(nil)
        let client = TestClient(try Application { $0.add(MailPages(mailer)) })
        for number in 1...102 {
            let mail = try mailer.make(Mail(to: "ada@example.org", subject: "Mail \(number)", text: ""))
            try await mailer.deliver(MailDelivery(mail: mail, recipient: "ada@example.org"))
            if number > 2 { #expect(try await client.get("/dev/mails/3").text.contains("<h1>Mail 3</h1>")) }
        }
        #expect(try await client.get("/dev/mails").text.contains("href=\"/dev/mails/102\""))
        #expect(try await client.get("/dev/mails/102").text.contains("<h1>Mail 102</h1>"))
        for number in [Int.min, 0, 2, 103, Int.max] {
            #expect(try await client.get("/dev/mails/\(number)").status == .notFound)
        }
    }

    @Test func `mails that are kept have a limit of memory, and the newest are kept`() throws {
        let mailer = mailer(nil)
        let outbox = Outbox(maximumSize: 1000)
        func keep(_ subject: String, text: Int = 0, file: Int = 0) throws {
            var mail = Mail(to: "ada@example.org", subject: subject, text: String(repeating: "a", count: text))
            if file > 0 { mail.attachments = [Mail.Attachment("film", [UInt8](repeating: 0, count: file))] }
            outbox.keep(try mailer.make(mail), for: "ada@example.org")
        }
        try keep("1", text: 1)
        // 400 bytes as base64.
        for number in 2...4 { try keep("\(number)", text: 100, file: 300) }
        #expect(outbox.all.mails.map(\.subject) == ["4", "3"] && outbox.all.count == 4)
        try keep("5", text: 500)
        #expect(outbox.all.mails.map(\.subject) == ["5", "4"])
        try keep("6", text: 1001)
        try keep("7", text: 1)
        #expect(outbox.all.mails.map(\.subject) == ["7"] && outbox.all.count == 7)
    }

    @Test func `without mails the page says so`() async throws {
        let mailer = mailer(nil)
        let client = TestClient(try Application { $0.add(MailPages(mailer)) })
        #expect(try await client.get("/dev/mails").text.contains("No mail has been made"))
        #expect(try await client.get("/dev/mails/1").status == .notFound)
    }

    @Test func `a mail that is sent later has the date of then`() async throws {
        let clock = TestClock()
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        let (mailer, jobs) = withClock(clock) {
            let mailer = Mailer(nil, from: "nest@example.org")
            return (mailer, Jobs(database, [MailDelivery.self], queues: ["mail": 1], services: [mailer]))
        }
        let services: [any Service] = [database, Migrator(database, Jobs.migrations), mailer, jobs]
        let application = try Application(services: services, middleware: []) { routes in
            routes.post(Path("/")) { _ in
                let mail = Mail(to: "ada@example.org", subject: "Later", text: "")
                try await jobs.send(mail, after: .hours(168))
                try await jobs.send(mail, at: Date(timeIntervalSince1970: 0))
                return ""
            }
        }
        let client = TestClient(application)
        #expect(try await client.post("/").status == .ok)
        #expect(try await client.runJobs() == 1)
        clock.advance(by: .hours(168))
        #expect(try await client.runJobs() == 1)
        let times = mailer.mails.map(\.time)
        #expect(times.count == 2 && times.reduce(0, -) + 2 * (times.last ?? 0) == -168 * 3600)
        for wrong in [Double.infinity, -.infinity, .nan, 1e300] {
            _ = try mailer.make(
                Mail(to: "ada@example.org", subject: "", text: ""), at: Date(timeIntervalSince1970: wrong))
        }
        _ = try mailer.make(Mail(to: "ada@example.org", subject: "", text: ""), after: .seconds(Int64.max))
    }
}
