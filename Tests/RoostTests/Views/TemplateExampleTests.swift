import Testing

@testable import Roost

/// The examples of the documentation: a layout, a list, an empty list, a partial, a form with errors.
struct `Template examples` {
    static let sources = [
        "layout": """
        <!doctype html>
        <title>{{$title}}Roost{{/title}}</title>
        <main>
          {{$content}}
          {{/content}}
        </main>

        """,
        "users/index": """
        {{<layout}}
        {{$title}}Users{{/title}}
        {{$content}}
        <ul>
          {{#users}}
          {{>users/row}}
          {{/users}}
          {{^users}}
          <li>Nobody yet.</li>
          {{/users}}
        </ul>
        {{/content}}
        {{/layout}}

        """,
        "users/row": """
        <li>
          <a href="/users/{{id}}">{{name}}</a>{{#email}} ({{.}}){{/email}}
        </li>

        """,
        "login": """
        {{<layout}}{{$content}}
        <form method="post">
          {{#errors}}
          <p class="error">{{.}}</p>
          {{/errors}}
          <input name="name" value="{{form.name}}">
        </form>
        {{/content}}{{/layout}}

        """,
    ]

    private struct User: Encodable {
        let id: Int
        let name: String
        let email: String?
    }

    private func render(_ name: String, _ page: some Encodable) throws -> String {
        String(decoding: try Templates(sources: Self.sources).render(name, page), as: UTF8.self)
    }

    @Test func `a list in a layout`() throws {
        let users = [User(id: 1, name: "Ann & Bob", email: nil), User(id: 2, name: "Eve", email: "eve@example.com")]
        #expect(
            try render("users/index", ["users": users]) == """
                <!doctype html>
                <title>Users</title>
                <main>
                  <ul>
                    <li>
                      <a href="/users/1">Ann &amp; Bob</a>
                    </li>
                    <li>
                      <a href="/users/2">Eve</a> (eve@example.com)
                    </li>
                  </ul>
                </main>

                """)
    }

    @Test func `an empty list`() throws {
        #expect(
            try render("users/index", ["users": [User]()]) == """
                <!doctype html>
                <title>Users</title>
                <main>
                  <ul>
                    <li>Nobody yet.</li>
                  </ul>
                </main>

                """)
    }

    private struct LoginPage: Encodable {
        struct Form: Encodable { let name: String }
        let errors: [String]
        let form: Form
    }

    @Test func `a form with errors`() throws {
        let page = LoginPage(errors: ["The password is wrong."], form: .init(name: "\"><script>"))
        #expect(
            try render("login", page) == """
                <!doctype html>
                <title>Roost</title>
                <main>
                  <form method="post">
                    <p class="error">The password is wrong.</p>
                    <input name="name" value="&quot;&gt;&lt;script&gt;">
                  </form>
                </main>

                """)
    }
}
