import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import NAME

@Suite(.timeLimit(.minutes(2)))
struct NoteTests {
+LANGUAGES    private let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
+LANGUAGES
    /// The application as it is served, on a database in memory.
    private func client() throws -> TestClient {
-LANGUAGES        let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let driver = SQLiteDriver(SQLiteConfiguration(path: ":memory:"))
        let database = Database(driver, configuration: DatabaseConfiguration(columnNames: .snakeCase))
        return TestClient(try makeApp(database, folder: folder))
    }

    private let browser: Headers = [.accept: "text/html"]

    @Test(.quietLog) func `the page shows the notes`() async throws {
        let client = try client()
        let response = try await client.get("/notes", headers: browser)
        #expect(response.status == .ok)
        #expect(response.text.contains("Welcome to Roost"))
    }

    @Test(.quietLog) func `a note is added by the form, and shown`() async throws {
        let client = try client()
        let form: Form = ["text": "Mend the <roof>"]
        let response = try await client.post("/notes", form: form, headers: browser, followsRedirects: true)
        #expect(response.text.contains("Mend the &lt;roof&gt;"))
        #expect(try await client.get("/notes/2").json(Note.self) == Note(id: 2, text: "Mend the <roof>"))
    }

    @Test(.quietLog) func `a page that is open shows a new note`() async throws {
        let client = try client()
        let page = try await client.live("/notes")
        try #require(try await client.post("/notes", json: ["text": "Mend the <roof>"]).status == .created)
        try await page.next()
        #expect(page.text(of: "notes")?.contains("Mend the <roof>") ?? false)
    }

    @Test(.quietLog) func `an empty note is refused`() async throws {
        let client = try client()
        let refused = try await client.post("/notes", form: ["text": " "], headers: browser)
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("aria-describedby=\"error\" autofocus"))
        #expect(try await client.get("/notes").json([Note].self).count == 1)
    }

    @Test(.quietLog) func `a form of too many fields is refused with a message`() async throws {
        let form = Form(Array(repeating: ("text", "x"), count: Form.maximumFields + 1))
        let response = try await client().post("/notes", form: form, headers: browser)
        #expect(response.status == .contentTooLarge && response.text.contains("role=\"alert\""))
    }

    @Test(.quietLog) func `an error is a page of the site`() async throws {
        let client = try client()
        let page = try await client.get("/nowhere", headers: browser)
        #expect(page.status == .notFound && page.text.contains("<h1>404 Not Found</h1>"))
        #expect(page.text.contains("rel=\"stylesheet\""))
        let unknown = try await client.get("/notes/7", headers: browser)
        #expect(unknown.status == .notFound && unknown.text.contains("<p>There is no note 7.</p>"))
    }

    @Test(.quietLog) func `a name of another site that leads here is refused`() async throws {
        let elsewhere = TestClient(try client().application, host: "elsewhere.example")
        #expect(try await elsewhere.get("/notes").status == .misdirectedRequest)
    }
+LANGUAGES
+LANGUAGES    @Test(.quietLog) func `a page is in the language that a visitor has chosen`() async throws {
+LANGUAGES        let client = try client()
+LANGUAGES        for table in try MessageTable.all(in: folder + "/Languages") {
+LANGUAGES            _ = try await client.get("/notes?language=\(table.language)", headers: browser)
+LANGUAGES            let page = try await client.get("/notes", headers: browser).text
+LANGUAGES            let direction = table.isRightToLeft ? " dir=\"rtl\"" : ""
+LANGUAGES            #expect(page.contains("<html lang=\"\(table.language)\"\(direction)>"))
+LANGUAGES            #expect(page.contains("<h1>\(table.text("Notes"))</h1>"))
+LANGUAGES        }
+LANGUAGES    }
}
