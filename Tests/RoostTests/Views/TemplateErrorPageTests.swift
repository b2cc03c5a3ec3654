import HTTPTypes
import Roost
import RoostTesting
import Testing

/// The page about an error of a template, which development shows, and production does not.
@Suite("Pages for errors of templates", .timeLimit(.minutes(5)))
struct TemplateErrorPageTests {
    private static let browser: Headers = [.accept: "text/html"]

    private static func client(_ log: LogLines = LogLines(), explains: Bool) throws -> TestClient {
        let sources = [
            "users": "<h1>Users</h1>\n<ul>\n\t{{#users}}{{>row}}{{/users}}\n</ul>", "row": "<li title=x>{{nam}}</li>",
        ]
        let pages = ErrorPages(
            .page { _, _ in Response.html("the site's own page") }, logger: log.logger, explains: explains)
        let templates = try Templates(sources: sources)
        return try TestClient(log: log, templates: templates, middleware: [RequestIDs(), pages]) { routes in
            routes.get(Path("/users")) { _ in View("users", ["users": [["name": "Ann"]]]) }
        }
    }

    @Test func `a browser sees what, where and what to do, as text`() async throws {
        let response = try await Self.client(explains: true).get("/users", headers: Self.browser)
        #expect(response.status == .internalServerError)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        let page = response.text
        #expect(
            page.contains("The page has no &quot;nam&quot;: did you mean &quot;name&quot;? it has name"))
        #expect(page.contains("<code>row.mustache:1:13</code>"))
        #expect(page.contains("<b>1</b>&lt;li title=x&gt;<mark>{{nam}}</mark>&lt;/li&gt;</span>"))
        #expect(page.contains("<i>            ^</i>"))
        #expect(page.contains("included from <code>users.mustache:3:12</code>"))
        #expect(page.contains("500 Internal Server Error for <code>GET /users</code>"))
        #expect(page.contains(response.headers[.requestID] ?? "?"))
    }

    @Test func `its policy lets nothing in but its own style, and scripts of the site`() async throws {
        let response = try await Self.client(explains: true).get("/users", headers: Self.browser)
        #expect(response.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; style-src") == true)
        let script = "; script-src 'self'; connect-src 'self';"
        #expect(response.headers[.contentSecurityPolicy]?.contains(script) == true)
    }

    @Test(arguments: ["*/*", "text/plain"])
    func `a program is told the same`(accept: String) async throws {
        let response = try await Self.client(explains: true).get("/users", headers: [.accept: accept])
        #expect(response.text.contains("row.mustache:1:13: the page has no"))
        #expect(
            response.headers[.contentType]?.hasPrefix(accept == "*/*" ? "application/problem+json" : accept) == true)
    }

    @Test func `the log of development keeps the lines, so that the caret stands right`() async throws {
        let log = LogLines()
        _ = try await Self.client(log, explains: true).get("/users")
        let lines = try #require(log.all.first).split(separator: "\n")
        #expect(lines[0].hasPrefix("127.0.0.1 GET /users: a template has an error"))
        #expect(lines[1].hasPrefix("row.mustache:1:13: the page has no \"nam\""))
        #expect(lines[2...3] == ["    <li title=x>{{nam}}</li>", "                ^"])
    }

    @Test(arguments: [[:], browser])
    func `production tells nothing, and logs one line`(headers: Headers) async throws {
        let log = LogLines()
        let response = try await Self.client(log, explains: false).get("/users", headers: headers)
        #expect(response.status == .internalServerError)
        #expect(!response.text.contains("mustache"))
        #expect(log.all.count == 1 && log.all.allSatisfy { !$0.contains("\n") })
        #expect(log.all.first?.contains("row.mustache:1:13") == true)
    }

    @Test func `an error page that is itself broken is shown in its place`() async throws {
        let templates = try Templates(sources: ["error": "{{statuss}}"])
        let pages = ErrorPages(
            .page { error, _ in
                .view("error", error)
            }, logger: LogLines().logger, explains: true)
        let client = try TestClient(templates: templates, middleware: [pages]) { _ in }
        let response = try await client.get("/nowhere", headers: Self.browser)
        #expect(response.status == .notFound)
        #expect(response.text.contains("<code>error.mustache:1:1</code>"))
    }

    @Test func `data in a message forges no line and no markup`() async throws {
        let log = LogLines()
        let templates = try Templates(sources: ["page": "{{>*name}}"])
        let client = try TestClient(
            log: log, templates: templates, middleware: [ErrorPages(logger: log.logger, explains: true)]
        ) { routes in
            routes.get(Path("/")) { _ in View("page", ["name": "<b>\nforged: line"]) }
        }
        let page = try await client.get("/", headers: Self.browser).text
        #expect(page.contains("&lt;b&gt;") && !page.contains("<b>\n"))
        #expect(log.all.first?.contains("\nforged") == false)
    }
}
