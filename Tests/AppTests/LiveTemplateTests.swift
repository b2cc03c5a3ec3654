import HTTPTypes
import Roost
import RoostTesting
import Testing

/// The site on a copy of its templates, which are edited while it runs.
@Suite("Edited templates", .quietLog, .timeLimit(.minutes(5)))
struct LiveTemplateTests {
    private let copy: SiteCopy

    init() throws { copy = try SiteCopy() }

    private func page(_ client: TestClient, _ path: String) async throws -> String {
        try await client.get(path, headers: Site.browser).text
    }

    @Test func `an edit is live at the next request, a partial's and a new file's as well`() async throws {
        defer { copy.remove() }
        let client = try Site.visitor(root: copy.root)
        #expect(try await page(client, "/users").contains("<h1>User List</h1>"))
        try copy.write("users/index.mustache", "{{#users}}{{>users/row}}{{/users}}")
        try copy.write("users/row.mustache", "[{{name}}]")
        #expect(try await page(client, "/users") == "[Nelson][Cathy]")
        try copy.write("users/row.mustache", "({{name}})")
        #expect(try await page(client, "/users") == "(Nelson)(Cathy)")
        try copy.write("users/index.mustache", "nobody")
        copy.remove("/Templates/users/row.mustache")
        #expect(try await page(client, "/users") == "nobody")
    }

    @Test func `a broken one shows its lines to a browser and to a program, and recovers`() async throws {
        defer { copy.remove() }
        let client = try Site.visitor(root: copy.root)
        try copy.write("users/index.mustache", "<ul>\n  {{#users}}\n</ul>\n")
        let broken = try await client.get("/users", headers: Site.browser)
        #expect(broken.status == .internalServerError)
        #expect(broken.text.contains("{{#users}} is not closed: write {{/users}} where it ends"))
        #expect(broken.text.contains("<code>\(copy.root)/Templates/users/index.mustache:2:3</code>"))
        #expect(broken.text.contains("<b>2</b>  <mark>{{#users}}</mark></span>"))
        // All pages need all templates, so a broken one is noticed at once.
        #expect(try await page(client, "/login").contains("users/index.mustache:2:3"))
        try copy.write("users/index.mustache", "{{#users}}{{nam}} {{/users}}")
        #expect(try await page(client, "/users").contains("did you mean &quot;name&quot;?"))
        #expect(try await page(client, "/login").contains("<h1>Sign in</h1>"))
        try copy.write("users/index.mustache", "{{#users}}{{name}} {{/users}}")
        #expect(try await page(client, "/users") == "Nelson Cathy ")
    }

    @Test func `a program is told too, also when there is no error page to show`() async throws {
        defer { copy.remove() }
        let client = try Site.visitor(root: copy.root)
        try copy.write("error.mustache", "{{statu}}")
        #expect(try await client.get("/nowhere").status == .notFound)
        let page = try await client.get("/nowhere", headers: Site.browser)
        #expect(page.status == .notFound)
        #expect(page.text.contains("error.mustache:1:1"))
        try copy.write("login.mustache", "{{")
        let problem = try await client.get("/login", headers: [.accept: "text/plain"])
        #expect(problem.status == .internalServerError)
        #expect(problem.text.contains("login.mustache:1:1: this tag is not closed"))
    }

    @Test func `production never looks at the folder again`() async throws {
        defer { copy.remove() }
        let client = try Site.visitor(environment: .production, root: copy.root)
        try copy.write("users/index.mustache", "{{#")
        copy.remove("/Templates")
        #expect(try await page(client, "/users").contains("<h1>User List</h1>"))
        #expect(try await page(client, "/nowhere").contains("404"))
    }
}
