import Glibc
import Logging
import Roost
import RoostTLS

/// The program that benchmarks measure: four endpoints through the ordinary public API, without middleware, like the
/// servers that it is compared with. `GET /echo` is a WebSocket that sends each message back, as suites for conformance
/// expect it.
///
/// Environment variables select further rows of the tables: `PAGE=written` for a page of types that write themselves
/// (`SelfWriting`), `MIDDLEWARE=standard` for an application's default middleware, `WWW` for a folder of files, and
/// `TLS_PORT`, `TLS_CERTIFICATE` and `TLS_KEY` for TLS.
@main
struct BenchmarkServer {
    static func main() async {
        // Development would measure its window, too.
        setenv("ROOST_ENV", "production", 0)
        await Application.serve { try makeApp() }
    }

    private static func makeApp() throws -> Application {
        var logger = Logger(label: "benchmark")
        logger.logLevel = .warning
        let templates = try Templates(sources: ["users": usersTemplate])
        let page = UsersPage.hundred
        let writtenPage = WrittenPage(page)
        let variables = ProcessEnvironment.variables
        let files = try variables["WWW"].map { try StaticFiles($0) }
        let chain: [any Middleware]? = variables["MIDDLEWARE"] == "standard" ? nil : []
        let tls = try TLS(logger: logger)
        let isWritten = variables["PAGE"] == "written"
        let configuration = try ServerConfiguration(environment: variables)
        return try Application(
            configuration: configuration, logger: logger, services: [tls], templates: templates, middleware: chain
        ) { routes in
            routes.get(Path("/plaintext")) { _ in Response(.ok, "text/plain", Body("Hello, World!")) }
            routes.get(Path("/json")) { _ in
                JSON([User(id: 1, name: "Nelson"), User(id: 2, name: "Cathy")])
            }
            routes.get(Path("/hello/{name}", String.self)) { _, name in
                Response(.ok, "text/plain", Body("Hello, \(name)!"))
            }
            let large = WebSocketOptions(maximumMessageSize: 16 << 20, origins: .any)
            routes.webSocket(Path("/echo"), large) { socket, _ in
                for try await message in socket { try await socket.send(message) }
            }
            if let files { routes.fallback(files) }
            if isWritten {
                routes.get(Path("/users.html")) { _ in View("users", writtenPage) }
            } else {
                routes.get(Path("/users.html")) { _ in View("users", page) }
            }
        }
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

/// The same page, made of types that write themselves.
struct WrittenPage: SelfWriting {
    let users: [WrittenUser]

    init(_ page: UsersPage) { users = page.users.map { WrittenUser(id: $0.id, name: $0.name) } }

    func write(to fields: inout Fields) { fields.add("users", users) }
}

struct WrittenUser: SelfWriting {
    let id: Int
    let name: String

    func write(to fields: inout Fields) {
        fields.add("id", id)
        fields.add("name", name)
    }
}
