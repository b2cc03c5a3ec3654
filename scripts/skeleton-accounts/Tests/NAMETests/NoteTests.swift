import Roost
import RoostAuth
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import NAME

@Suite(.timeLimit(.minutes(2)))
struct NoteTests {
+LANGUAGES    private let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
+LANGUAGES
    /// The application as it is served, on a database in memory, with the account of Ann.
    private func client() async throws -> TestClient {
-LANGUAGES        let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let driver = SQLiteDriver(SQLiteConfiguration(path: ":memory:"))
        let database = Database(driver, configuration: DatabaseConfiguration(columnNames: .snakeCase))
        let client = TestClient(try makeApp(database, folder: folder))
        _ = try await client.get("/notes")  // The start has made the tables.
        try await Program.auth(database).addAccount(email: "ann@example.com", password: "correct horse")
        return client
    }

    private func signIn(_ client: TestClient, _ password: String = "correct horse") async throws -> String {
        let form: Form = ["email": "ann@example.com", "password": password, "next": "/notes"]
        return try await client.post("/login", form: form, headers: browser, followsRedirects: true).text
    }

    private let browser: Headers = [.accept: "text/html"]

    @Test(.quietLog) func `everybody reads the notes, and a stranger is sent to sign in`() async throws {
        let client = try await client()
        #expect(try await client.get("/notes", headers: browser).text.contains("Welcome to Roost"))
        let refused = try await client.post("/notes", form: ["text": "Mine"], headers: browser)
        #expect(refused.headers[.location]?.hasPrefix("/login") ?? false)
        #expect(try await client.get("/notes").json([Note].self).count == 1)
    }

    @Test(.quietLog) func `a member signs in, adds a note, and signs out`() async throws {
        let client = try await client()
        #expect(try await signIn(client).contains("ann@example.com"))
        let added = try await client.post(
            "/notes", form: ["text": "Mend the <roof>"], headers: browser, followsRedirects: true)
        #expect(added.text.contains("Mend the &lt;roof&gt;"))
        let empty = try await client.post("/notes", form: ["text": " "], headers: browser)
        #expect(empty.status == .unprocessableContent)
        #expect(empty.text.contains("aria-describedby=\"error\" autofocus"))
        _ = try await client.post("/logout", form: [:])
        #expect(!(try await client.get("/notes", headers: browser).text.contains("ann@example.com")))
    }

    @Test(.quietLog) func `a form of too many fields is refused with a message`() async throws {
        let client = try await client()
        _ = try await signIn(client)
        let form = Form(Array(repeating: ("text", "x"), count: Form.maximumFields + 1))
        let response = try await client.post("/notes", form: form, headers: browser)
        #expect(response.status == .contentTooLarge && response.text.contains("role=\"alert\""))
    }

    @Test(.quietLog) func `a wrong password shows the form again, with the address`() async throws {
        let page = try await signIn(client(), "wrong horse")
        #expect(page.contains("role=\"alert\" tabindex=\"-1\" autofocus"))
        #expect(page.contains("value=\"ann@example.com\""))
        #expect(page.contains("name=\"next\" value=\"/notes\""))
    }

    @Test(.quietLog) func `without HTTPS nobody signs in from elsewhere, and is told what to set`() async throws {
        let here = try await client()
        let address = try #require(IPAddress("192.0.2.1"))
        let elsewhere = TestClient(here.application, peer: .tcp(address, port: 50_000))
        #expect(try await elsewhere.get("/login", headers: browser).text.contains("set PUBLIC_URL"))
        for password in ["correct horse", "wrong horse"] {
            let form: Form = ["email": "ann@example.com", "password": password]
            let refused = try await elsewhere.post("/login", form: form, headers: browser)
            #expect(refused.status == .forbidden)
            #expect(refused.text.contains("role=\"alert\"") && refused.text.contains("set PUBLIC_URL"))
        }
    }

    @Test(.quietLog) func `an error is a page of the site, which knows the member`() async throws {
        let client = try await client()
        let page = try await client.get("/nowhere", headers: browser)
        #expect(page.status == .notFound && page.text.contains("<h1>404 Not Found</h1>"))
        #expect(page.text.contains("rel=\"stylesheet\"") && page.text.contains("href=\"/login\""))
        _ = try await signIn(client)
        let own = try await client.get("/nowhere", headers: browser)
        #expect(own.status == .notFound && own.text.contains("ann@example.com"))
    }

    @Test func `a secret that is too short is told with the other settings`() {
        var reader = SettingsReader(["SECRET_KEY": "short"])
        Program.readSettings(&reader)
        #expect(throws: StartError.self) { try reader.check() }
    }

    @Test(.quietLog) func `a name of another site that leads here is refused`() async throws {
        let elsewhere = TestClient(try await client().application, host: "elsewhere.example")
        #expect(try await elsewhere.get("/notes").status == .misdirectedRequest)
    }
+LANGUAGES
+LANGUAGES    @Test(.quietLog) func `a page is in the language that a visitor has chosen`() async throws {
+LANGUAGES        let client = try await client()
+LANGUAGES        for table in try MessageTable.all(in: folder + "/Languages") {
+LANGUAGES            _ = try await client.get("/notes?language=\(table.language)", headers: browser)
+LANGUAGES            let page = try await client.get("/notes", headers: browser).text
+LANGUAGES            let direction = table.isRightToLeft ? " dir=\"rtl\"" : ""
+LANGUAGES            #expect(page.contains("<html lang=\"\(table.language)\"\(direction)>"))
+LANGUAGES            #expect(page.contains("<h1>\(table.text("Notes"))</h1>"))
+LANGUAGES        }
+LANGUAGES    }
}
