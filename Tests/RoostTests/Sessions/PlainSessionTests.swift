import HTTPTypes
import Roost
import RoostTesting
import Testing

/// Over plain HTTP, a session's cookie is set only where nobody on the way could intercept it.
@Suite("Sessions without HTTPS", .timeLimit(.minutes(5)))
struct PlainSessionTests {
    private let store = MemorySessionStore()

    private func setsCookie(
        peer: PeerAddress = .loopback,
        host: String = "127.0.0.1:3000",
        _ fields: [(String, String)] = [],
        isHTTPS: Bool = false
    ) async throws -> Bool {
        let application = try Application(middleware: [Sessions(store, isHTTPS: isHTTPS)]) { routes in
            routes.get(Path("/")) { request in
                try await request.session["a"] = "1"
                return "set"
            }
        }
        var headers: Headers = [:]
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        let response = try await TestClient(application, host: host, peer: peer).get("/", headers: headers)
        #expect(response.status == .ok)
        return response.headers[.setCookie] != nil
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.8.9.10", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("192.0.2.7", false), ("10.0.0.1", false), ("::ffff:192.0.2.7", false), ("2001:db8::1", false),
    ])
    func `the peer must be on loopback`(address: String, isSet: Bool) async throws {
        let peer = PeerAddress.tcp(try #require(IPAddress(address)), port: 50_000)
        for host in ["localhost", "127.0.0.1:3000", "[::1]:3000"] {
            #expect(try await setsCookie(peer: peer, host: host) == isSet)
        }
        #expect(try await setsCookie(peer: peer, host: "example.com", isHTTPS: true))
    }

    @Test func `a client on a Unix socket is usually a proxy`() async throws {
        #expect(try await !setsCookie(peer: .local))
    }

    @Test(arguments: [
        ("Forwarded", "for=192.0.2.7"), ("forwarded", ""), ("Via", "1.1 a"), ("X-Real-IP", "192.0.2.7"),
        ("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Proto", "https"), ("x-forwarded-host", "localhost"),
        ("X-Forwarded-", "x"),
    ])
    func `a proxy's field says that there is a proxy in between`(name: String, value: String) async throws {
        #expect(try await !setsCookie([(name, value)]))
        #expect(try await setsCookie([(name, value)], isHTTPS: true))
    }

    /// The fields that browsers send about their page, through a proxy that passes on its own idea of the host
    /// (nginx's default) and does not reveal itself.
    @Test(arguments: [
        ("Origin", "http://localhost:3000", true), ("Origin", "http://127.0.0.1:3000", true), ("Origin", "null", true),
        ("Origin", "https://[::1]", true), ("Referer", "http://localhost:3000/login?next=/a.b", true),
        ("Referer", "http://localhost?a", true), ("Origin", "https://example.com", false),
        ("Origin", "http://localhost.example.com", false), ("Origin", "http://example.com:80", false),
        ("Origin", "http://localhost@example.com", false), ("Origin", "localhost", false), ("Origin", "", false),
        ("Referer", "https://example.com/login", false), ("Referer", "https://example.com?http://localhost/", false),
        ("Referer", "http://example.com/localhost", false),
    ])
    func `the page says so at another host, too`(name: String, value: String, isSet: Bool) async throws {
        #expect(try await setsCookie([(name, value)]) == isSet)
        #expect(try await setsCookie([(name, value)], isHTTPS: true))
    }

    @Test func `fields that only look like a proxy's say nothing`() async throws {
        #expect(try await setsCookie([("X-Forward", "a"), ("Viaduct", "a"), ("Not-Forwarded", "a")]))
    }
}
