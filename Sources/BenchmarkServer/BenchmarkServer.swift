import Glibc
import Logging
import Roost

/// What the bench measures: four endpoints through the ordinary public API, without middleware, as the peers have them.
@main
struct BenchmarkServer {
    static func main() async throws {
        var logger = Logger(label: "benchmark")
        logger.logLevel = .warning
        let templates = try Templates(sources: ["users": usersTemplate])
        let page = UsersPage.hundred
        let app = try Application(logger: logger, templates: templates, middleware: []) { routes in
            routes.get(Path.root / "plaintext") { _ in Response(.ok, "text/plain", Body("Hello, World!")) }
            routes.get(Path.root / "json") { _ in
                JSON([User(id: 1, name: "Nelson"), User(id: 2, name: "Cathy")])
            }
            routes.get(Path.root / "hello" / String.self) { _, name in
                Response(.ok, "text/plain", Body("Hello, \(name)!"))
            }
            routes.get(Path.root / "users.html") { _ in View("users", page) }
        }
        try await app.run()
    }

    private static let usersTemplate = """
        <!DOCTYPE html>
        <html><head><title>Users</title></head><body><h1>Users</h1><ul>
        {{#users}}
        <li>{{id}}: {{name}}</li>
        {{/users}}
        </ul></body></html>

        """
}

struct User: Codable {
    let id: Int
    let name: String
}

struct UsersPage: Codable {
    let users: [User]

    static let hundred = UsersPage(users: (1...100).map { User(id: $0, name: "Ann & Bob <\($0)>") })
}
