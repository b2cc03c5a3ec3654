import HTTPTypes
import Roost
import RoostTesting
import Testing

@Suite("Cross-origin resource sharing", .timeLimit(.minutes(5)))
struct CORSTests {
    private static let friend: Headers = [.origin: "https://app.example.com"]
    private static let stranger: Headers = [.origin: "https://app.example.com.evil.example"]
    private static let listed = CORS(
        origins: ["https://app.example.com", "http://localhost:5173"], exposed: [.location], allowsCredentials: true)

    private static func client(_ cors: CORS) throws -> TestClient {
        let log = LogLines().logger
        return try TestClient(middleware: [cors] + Application.standardMiddleware(logger: log)) { routes in
            routes.get(Path("/users")) { _ in "users" }
            routes.put(Path("/users")) { _ in "put" }
            routes.get(Path("/vary")) { _ in Response(.ok, headers: [.vary: "Accept"]) }
            routes.get(Path("/known")) { _ -> String in throw HTTPError(.conflict) }
            routes.get(Path("/unknown")) { _ -> String in throw CancellationLike() }
        }
    }

    private struct CancellationLike: Error {}

    /// An error of another layer that a client may know.
    private struct Taken: ResponseError, CustomStringConvertible {
        var httpError: HTTPError? { HTTPError(.conflict, "This is taken.") }
        var description: String { "key 7 is there already" }
    }

    @Test func `an error of another layer has its fields, too, and keeps its text for the log`() async throws {
        let log = LogLines()
        let pages = ErrorPages(logger: log.logger)
        let client = try TestClient(middleware: [pages]) { routes in
            routes.group(middleware: [Self.listed]) { routes in
                routes.get(Path("/taken")) { _ -> String in throw Taken() }
            }
        }
        let response = try await client.get("/taken", headers: Self.friend)
        #expect(response.status == .conflict && response.text.contains("This is taken."))
        #expect(response.headers[.accessControlAllowOrigin] == "https://app.example.com")
        #expect(log.all.contains { $0.contains("key 7 is there already") })
    }

    @Test(arguments: [
        ("https://App.Example.com/", "https://app.example.com"), ("https://a.example:443", "https://a.example"),
        ("http://a.example:80/", "http://a.example"), ("http://a.example:443", "http://a.example:443"),
        ("https://a.example:8443", "https://a.example:8443"), ("https://[::1]:443", "https://[::1]"),
    ])
    func `an origin is what browsers make of it`(written: String, sent: String) async throws {
        let client = try Self.client(CORS(origins: [written]))
        let response = try await client.get("/users", headers: [.origin: sent])
        #expect(response.headers[.accessControlAllowOrigin] == sent)
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        let protected = try TestClient(middleware: [CrossOriginProtection(trustedOrigins: [written])]) { routes in
            routes.put(Path("/users")) { _ in "put" }
        }
        #expect(try await protected.put("/users", headers: [.origin: sent, site: "cross-site"]).text == "put")
    }

    @Test func `an origin that no browser sends ends the program`() async throws {
        await #expect(processExitsWith: .failure) { _ = CORS(origins: ["https://app.example.com", "*"]) }
        await #expect(processExitsWith: .failure) { _ = CORS(origins: ["app.example.com"]) }
        await #expect(processExitsWith: .failure) { _ = CrossOriginProtection(trustedOrigins: ["app.example.com"]) }
    }

    @Test func `the end says what is wrong, and that another start fails again`() async throws {
        let shared = await #expect(processExitsWith: .exitCode(78), observing: [\.standardErrorContent]) {
            _ = CORS(origins: ["app.example.com"])
        }
        let trusted = await #expect(processExitsWith: .exitCode(78), observing: [\.standardErrorContent]) {
            _ = CrossOriginProtection(trustedOrigins: ["app.example.com"])
        }
        for result in [shared, trusted] {
            let printed = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(printed.contains("\"app.example.com\" is no origin: write scheme, host and port"), "\(printed)")
        }
    }

    private static func preflight(_ origin: Headers, method: String = "PUT", headers: String? = nil) -> Headers {
        var fields = origin
        fields[.accessControlRequestMethod] = method
        fields[.accessControlRequestHeaders] = headers
        return fields
    }

    @Test(arguments: ["/users", "/known", "/unknown", "/nowhere"])
    func `a listed origin may read every response, errors too`(path: String) async throws {
        let response = try await Self.client(Self.listed).get(path, headers: Self.friend)
        #expect(response.headers[.accessControlAllowOrigin] == "https://app.example.com")
        #expect(response.headers[.accessControlAllowCredentials] == "true")
        #expect(response.headers[.accessControlExposeHeaders] == "Location")
        #expect(response.headers[values: .vary].contains("Origin"))
    }

    @Test func `another origin, or none, gets no permission, and caches know why`() async throws {
        let client = try Self.client(Self.listed)
        for headers in [Self.stranger, [.origin: "null"], [.origin: "HTTPS://APP.EXAMPLE.COM"], [:]] {
            let response = try await client.get("/vary", headers: headers)
            #expect(response.status == .ok)
            #expect(!response.headers.list.contains { $0.name.rawName.hasPrefix("Access-Control") })
            #expect(response.headers[values: .vary] == ["Accept", "Origin"])
        }
    }

    @Test func `a preflight request is allowed for a listed origin`() async throws {
        let client = try Self.client(Self.listed)
        let response = try await client.options(
            "/users", headers: Self.preflight(Self.friend, headers: "content-type, x-token"))
        #expect(response.status == .noContent)
        #expect(response.headers[.accessControlAllowOrigin] == "https://app.example.com")
        #expect(response.headers[.accessControlAllowMethods] == "GET, HEAD, POST, PUT, PATCH, DELETE")
        #expect(response.headers[.accessControlAllowHeaders] == "content-type, x-token")
        #expect(response.headers[.accessControlMaxAge] == "600")
        #expect(response.headers[.vary] == "Origin, Access-Control-Request-Method, Access-Control-Request-Headers")
        let refused = try await client.options("/users", headers: Self.preflight(Self.stranger))
        #expect(refused.headers[.accessControlAllowOrigin] == nil)
        #expect(refused.headers[.accessControlAllowMethods] == nil)
        let odd = try await client.options("/users", headers: Self.preflight(Self.friend, headers: "a;b"))
        #expect(odd.headers[.accessControlAllowHeaders] == nil)
        let plain = try await client.options("/users", headers: Self.friend)
        #expect(plain.headers[.allow] == "GET, HEAD, OPTIONS, PUT")
    }

    @Test func `the headers can be a list`() async throws {
        let client = try Self.client(CORS(origins: ["https://app.example.com"], headers: [.contentType]))
        let headers = Self.preflight(Self.friend, headers: "x-token")
        let response = try await client.options("/users", headers: headers)
        #expect(response.headers[.accessControlAllowHeaders] == "Content-Type")
    }

    @Test func `requests of a listed origin pass the protection from other origins`() async throws {
        let client = try Self.client(Self.listed)
        for (origin, status) in [(Self.friend, HTTPResponse.Status.ok), (Self.stranger, .forbidden)] {
            var headers = origin
            headers["Sec-Fetch-Site"] = "cross-site"
            headers[.cookie] = "a=b"
            #expect(try await client.put("/users", headers: headers).status == status)
        }
    }

    @Test func `without credentials, a listed origin sends nothing in a visitor's name`() async throws {
        let client = try Self.client(CORS(origins: ["https://app.example.com"]))
        var headers = Self.friend
        headers["Sec-Fetch-Site"] = "same-site"
        #expect(try await client.put("/users", headers: headers).text == "put")
        for (key, status) in [("Bearer abc", HTTPResponse.Status.ok), ("Basic YTpi", .forbidden)] {
            headers[.authorization] = key
            #expect(try await client.put("/users", headers: headers).status == status)
        }
        headers[.authorization] = nil
        headers[.cookie] = "a=b"
        #expect(try await client.put("/users", headers: headers).status == .forbidden)
        #expect(try await client.get("/users", headers: headers).text == "users")
    }

    @Test func `any origin may send what has no cookies, and read it`() async throws {
        let client = try Self.client(.anyOrigin())
        var headers = Self.stranger
        headers["Sec-Fetch-Site"] = "cross-site"
        let response = try await client.put("/users", headers: headers)
        #expect(response.text == "put")
        #expect(response.headers[.accessControlAllowOrigin] == "*")
        #expect(response.headers[.accessControlAllowCredentials] == nil)
        #expect(response.headers[.vary] == nil)
        for key in ["bearer abc", "Token abc"] {
            headers[.authorization] = key
            #expect(try await client.put("/users", headers: headers).text == "put")
        }
        // A browser keeps a password, and sends it by itself.
        for password in ["Basic YTpi", "basic YTpi", "Negotiate YTpi"] {
            headers[.authorization] = password
            #expect(try await client.put("/users", headers: headers).status == .forbidden)
        }
        headers[.authorization] = nil
        headers[.cookie] = "a=b"
        #expect(try await client.put("/users", headers: headers).status == .forbidden)
    }

    @Test(arguments: [("/users", 200), ("/known", 409)])
    func `what any origin may read says so to all, since caches hand it on`(path: String, code: Int) async throws {
        let response = try await Self.client(.anyOrigin(exposed: [.location])).get(path)
        #expect(response.status.code == code)
        #expect(response.headers[.accessControlAllowOrigin] == "*")
        #expect(response.headers[.accessControlExposeHeaders] == "Location")
        #expect(!(response.headers[.vary] ?? "").contains("Origin"))
    }

    @Test func `a script reads what Roost sends for programs, unless a list says what it reads`() async throws {
        for cors in [CORS(origins: ["https://app.example.com"]), .anyOrigin()] {
            let response = try await Self.client(cors).get("/users", headers: Self.friend)
            let exposed = response.headers[.accessControlExposeHeaders]
            #expect(
                exposed == "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, RateLimit-Limit, "
                    + "RateLimit-Remaining, RateLimit-Reset, Deprecation, Sunset, X-Request-Id")
        }
        let none = try await Self.client(.anyOrigin(exposed: [])).get("/users", headers: Self.friend)
        #expect(none.headers[.accessControlExposeHeaders] == nil)
    }

    @Test func `a preflight request for QUERY is allowed where the methods have it`() async throws {
        let query = try #require(HTTPRequest.Method("QUERY"))
        let client = try Self.client(CORS(origins: ["https://app.example.com"], methods: CORS.methods + [query]))
        let response = try await client.options("/users", headers: Self.preflight(Self.friend, method: "QUERY"))
        #expect(response.headers[.accessControlAllowMethods] == "GET, HEAD, POST, PUT, PATCH, DELETE, QUERY")
    }

    @Test func `in a group it holds for the group`() async throws {
        let client = try TestClient(middleware: [ErrorPages(logger: LogLines().logger)]) { routes in
            routes.group(Path("/api"), middleware: [Self.listed]) { api in api.get(Path("/users")) { _ in "users" } }
            routes.get(Path("/users")) { _ in "users" }
        }
        for path in ["/api/users", "/api/nowhere"] {
            let response = try await client.get(path, headers: Self.friend)
            #expect(response.headers[.accessControlAllowOrigin] == "https://app.example.com", "\(path)")
        }
        let preflight = try await client.options("/api/users", headers: Self.preflight(Self.friend))
        #expect(preflight.headers[.accessControlAllowOrigin] == "https://app.example.com")
        #expect(try await client.get("/users", headers: Self.friend).headers[.accessControlAllowOrigin] == nil)
    }
}
