import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import RoostHTTPClient

/// Redirects, and what goes along with them.
@Suite("Redirects of HTTPClient", .timeLimit(.minutes(2)))
struct RedirectTests {
    private func redirecting(to target: @escaping @Sendable (Request) -> String) async throws -> TestHTTPServer {
        try await TestHTTPServer { routes in
            for status in [301, 302, 303, 307, 308] {
                let handler = { @Sendable (request: Request) in
                    Response(HTTPResponse.Status(code: status), headers: [.location: target(request)])
                }
                routes.get(Path("/\(status)"), use: handler)
                routes.post(Path("/\(status)"), use: handler)
            }
            let show = { @Sendable (request: Request) in
                let kept = [HTTPField.Name.authorization, .cookie, .contentType].filter { request.headers[$0] != nil }
                return "\(request.method) \(kept.map(\.rawName)) \(request.body.count ?? -1)"
            }
            routes.get(Path("/end"), use: show)
            routes.post(Path("/end"), use: show)
        }
    }

    @Test func `a redirect is a response like any other`() async throws {
        let server = try await redirecting { _ in "/end" }
        let response = try await HTTPClient().get(server.url("/302"))
        #expect(response.status == .found)
        #expect(response.headers[.location] == "/end")
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `a redirect that is followed keeps the method that its status says`(status: Int, method: String) async throws {
        let server = try await redirecting { _ in "end" }
        let http = HTTPClient(maximumRedirects: 1)
        let response = try await http.post(
            server.url("/\(status)"), json: [1, 2], headers: [.authorization: "Basic abc", .cookie: "a=b"])
        let expected =
            method == "GET"
            ? #"GET ["Authorization", "Cookie"] 0"# : #"POST ["Authorization", "Cookie", "Content-Type"] 5"#
        #expect(response.text == expected)
        #expect(response.url == server.url("/end"))
    }

    @Test func `credentials stay with their origin`() async throws {
        let other = try await redirecting { _ in "/end" }
        let server = try await redirecting { _ in other.url("/end") }
        let http = HTTPClient(maximumRedirects: 3)
        let headers: Headers = [.authorization: "Basic abc", .cookie: "a=b"]
        #expect(try await http.get(server.url("/307"), headers: headers).text == "GET [] 0")
    }

    @Test(arguments: [
        ("/b", "http://u:p@nest.example/b"), ("//oak.example/b", "http://oak.example/b"),
        ("/b c", "http://u:p@nest.example/b%20c"), ("http://oak.example/b c", "http://oak.example/b%20c"),
        ("http://oak.example/b#c d", "http://oak.example/b#c%20d"),
        ("https://nest.example/b", "https://nest.example/b"), ("http://nest.example:81/b", "http://nest.example:81/b"),
        ("http://u:p@NEST.example/b", "http://u:p@NEST.example/b"),
        ("http://nest.example/b", "http://u:p@nest.example/b"), ("//NEST.example:80/b", "http://u:p@NEST.example:80/b"),
    ])
    func `user, password and host of a URL stay with their origin, too`(target: String, url: String) throws {
        let host = try #require(HTTPField.Name("Host"))
        let token = try #require(HTTPField.Name("X-Amz-Security-Token"))
        let request = HTTPClient.Request(
            .get, "http://u:p@nest.example/a",
            headers: [host: "other.example", .authorization: "x", token: "y"])
        let response = HTTPClient.Response(.found, headers: [.location: target])
        let next = try #require(try Redirect(response, to: request)?.next)
        #expect(next.url == url)
        #expect(next.headers.contains(host) == url.contains("u:p@"))
        #expect(next.headers.contains(.authorization) == url.contains("u:p@"))
        #expect(next.headers.contains(token) == url.contains("u:p@"))
    }

    /// To Swift, the Kelvin sign is K, and `é` the same in both ways of writing it; to a resolver they may be others.
    @Test(arguments: [
        ("https://oak.example/a", "https://oa\u{212A}.example/b"),
        ("https://caf\u{E9}.example/a", "https://cafe\u{301}.example/b"),
    ])
    func `hosts are the same if their bytes are`(url: String, target: String) throws {
        let request = HTTPClient.Request(.get, url, headers: [.authorization: "x"])
        let next = try #require(try Redirect(.init(.found, headers: [.location: target]), to: request)?.next)
        #expect(!next.headers.contains(.authorization))
        let same = try #require(try Redirect(.init(.found, headers: [.location: "/b"]), to: request)?.next)
        #expect(same.headers.contains(.authorization))
    }

    @Test func `a fragment alone is one of the same page`() throws {
        let request = HTTPClient.Request(.get, "http://nest.example/a/b?c=d#e")
        let next = try #require(try Redirect(.init(.found, headers: [.location: "#f g"]), to: request)?.next)
        #expect(next.url == "http://nest.example/a/b?c=d#f%20g")
    }

    @Test func `redirects in a circle end`() async throws {
        let server = try await redirecting { _ in "/302" }
        let http = HTTPClient(maximumRedirects: 5)
        #expect(await failure { try await http.get(server.url("/302")) } == .tooManyRedirects)
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1/", "http://", "http://a b/"])
    func `a redirect to anything but a URL of HTTP is the other server's mistake`(target: String) async throws {
        let server = try await redirecting { _ in target }
        let http = HTTPClient(maximumRedirects: 5)
        #expect(await failure { try await http.get(server.url("/302")) } == .malformed)
    }

    @Test func `a redirect to an address that is not allowed is refused`() async throws {
        let server = try await redirecting { _ in "http://169.254.169.254/latest/meta-data" }
        let http = HTTPClient(allows: .only(\.isLoopback), maximumRedirects: 3)
        #expect(await failure { try await http.get(server.url("/302")) } == .addressRefused)
    }
}
