import HTTPTypes
import Roost
import RoostTesting
import Testing

@Suite("Redirects that the test client follows", .timeLimit(.minutes(5)))
struct TestClientRedirectTests {
    /// The response to a request for a page that redirects.
    private static func response(
        _ location: String, status: Int = 303, host: String = "localhost", isHTTPS: Bool = false
    ) async throws -> WireClient.Response {
        let client = try TestClient(host: host, middleware: [SecurityHeaders(isHTTPS: isHTTPS)]) { routes in
            routes.get(Path("/go/away")) { _ in
                Response(HTTPResponse.Status(code: status), headers: [.location: location])
            }
            routes.get(Path("/go/here")) { request in "here \(request.queryString ?? "-")" }
            routes.get(Path("/")) { request in "root \(request.queryString ?? "-")" }
        }
        return try await client.get("/go/away", followsRedirects: true)
    }

    @Test(arguments: [
        ("/go/here", "here -"), ("here?a=b:c#d", "here a=b:c"), ("../?a", "root a"), ("//localhost/go/here", "here -"),
        ("http://localhost/go/here?a", "here a"), ("HTTP://LOCALHOST:80/go/here", "here -"),
        ("http://localhost", "root -"), ("http://localhost?a", "root a"), ("//LocalHost:80?a#b", "root a"),
    ])
    func `within the application`(location: String, text: String) async throws {
        #expect(try await Self.response(location).text == text)
        #expect(try await Self.response(location, host: "localhost:80").text == text)
        #expect(try await Self.response(location, host: "LOCALHOST").text == text)
    }

    @Test(arguments: [
        "myapp://callback?x=1", "mailto:a@b.c", "web+app:here", "ftp://localhost/go/here", "http:", "http:/go/here",
        "https://localhost/go/here", "HTTPS://localhost:443/go/here", "https://localhost:80/go/here",
        "http://localhost:443/go/here", "http://localhost:8080/go/here", "http://localhost.example/go/here",
        "http://other@localhost/go/here", "//other.example/go/here", "//", "http://",
    ])
    func `but not to another scheme or host`(location: String) async throws {
        let response = try await Self.response(location)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == location)
    }

    @Test(arguments: ["https://localhost/go/here", "HTTPS://localhost:443/go/here", "//localhost:443/go/here"])
    func `to HTTPS where the application takes itself for it`(location: String) async throws {
        #expect(try await Self.response(location, isHTTPS: true).text == "here -")
        let elsewhere = try await Self.response("https://localhost:80/go/here", isHTTPS: true)
        #expect(elsewhere.status == .seeOther)
    }

    @Test(arguments: [300, 304, 305, 306])
    func `a status with which browsers do not go on is the response`(status: Int) async throws {
        #expect(try await Self.response("/go/here", status: status).status.code == status)
    }
}
