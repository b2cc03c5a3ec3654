import FoundationEssentials
import RoostTesting
import Testing

@testable import Roost

@Suite("RFC 6265bis: attributes, and signed values", .timeLimit(.minutes(5)))
struct SignedCookieTests {
    private static func serialized(_ change: (inout Cookie) -> Void) throws -> String {
        var cookie = Cookie(name: "a", value: "b")
        change(&cookie)
        return try cookie.serialized()
    }

    @Test func `attributes are written as browsers read them`() throws {
        let date = try Date("2026-11-22T12:00:00Z", strategy: .iso8601)
        let text = try Self.serialized {
            $0.domain = "example.com"
            $0.expires = date + 0.5
            $0.maxAge = .seconds(60)
            $0.path = "/b"
            $0.sameSite = .strict
        }
        let attributes = "Path=/b; Domain=example.com; Expires=Sun, 22 Nov 2026 12:00:00 GMT; Max-Age=60; HttpOnly"
        #expect(text == "a=b; \(attributes); SameSite=Strict")
    }

    @Test func `attributes that browsers refuse are refused`() throws {
        for domain in ["", ".example.com", "example..com", "a b", "a;b", "-a", "a-", "ü.de", "a:80", "a/b"] {
            #expect(throws: MalformedCookie.self, "\(domain)") { try Self.serialized { $0.domain = domain } }
        }
        for path in ["", "a", "b/", "/ü", "/;"] {
            #expect(throws: MalformedCookie.self, "\(path)") { try Self.serialized { $0.path = path } }
        }
        for second in [-11_644_473_601.0, 253_402_300_800, .infinity, -.infinity, .nan] {
            #expect(throws: MalformedCookie.self, "\(second)") {
                try Self.serialized { $0.expires = Date(timeIntervalSince1970: second) }
            }
        }
        let long = "/" + String(repeating: "a", count: 1024)
        #expect(throws: MalformedCookie.self) { try Self.serialized { $0.path = long } }
        #expect(throws: MalformedCookie.self) {
            try Self.serialized {
                $0.name = "__Host-a"
                $0.isSecure = true
                $0.domain = "example.com"
            }
        }
    }

    /// A request with the cookie that a response has set.
    private static func request(with response: Response) throws -> Request {
        let pair = try #require(response.headers[.setCookie]?.prefix { $0 != ";" })
        return try Request(.get, "/", headers: [.cookie: String(pair)])
    }

    @Test(arguments: [" ", "\u{301}admin", " \u{301}", "\u{200D}a b", "\n\u{301}"])
    func `a value comes back byte by byte`(value: String) throws {
        for maxAge in [nil, Duration.seconds(60)] {
            let cookie = SignedCookie("a", key: .random(), maxAge: maxAge, isHTTPS: true)
            var response = Response()
            try cookie.set(value, on: &response)
            let request = try Self.request(with: response)
            let found = try #require(cookie.value(in: request))
            #expect(found.utf8.elementsEqual(value.utf8))
        }
    }

    @Test func `a value is accepted until its time is over`() throws {
        let clock = TestClock()
        let cookie = withClock(clock) {
            SignedCookie("a", key: .random(), maxAge: .seconds(60), isHTTPS: true)
        }
        var response = Response()
        try cookie.set("b c", on: &response)
        let request = try Self.request(with: response)
        #expect(cookie.name == "__Host-a")
        #expect(cookie.value(in: request) == "b c")
        clock.advance(by: .seconds(59))
        #expect(cookie.value(in: request) == "b c")
        clock.advance(by: .seconds(1))
        #expect(cookie.value(in: request) == nil)
    }

    @Test func `a value whose time is never over is accepted`() throws {
        let cookie = SignedCookie("a", key: .random(), maxAge: .seconds(Int64.max), isHTTPS: true)
        var response = Response()
        try cookie.set("b c", on: &response)
        #expect(cookie.value(in: try Self.request(with: response)) == "b c")
    }

    @Test func `a value of another cookie, key or kind is not accepted`() throws {
        let key = SigningKey.random()
        var response = Response()
        try SignedCookie("a", key: key, isHTTPS: false).set("9999999999 b", on: &response)
        let request = try Self.request(with: response)
        #expect(SignedCookie("a", key: key, isHTTPS: false).value(in: request) == "9999999999 b")
        #expect(SignedCookie("a", key: .random(), isHTTPS: false).value(in: request) == nil)
        #expect(SignedCookie("a", key: key, maxAge: .seconds(60), isHTTPS: false).value(in: request) == nil)
        let renamed = try Request(.get, "/", headers: [.cookie: "b" + (request.headers[.cookie]?.dropFirst() ?? "")])
        #expect(SignedCookie("b", key: key, isHTTPS: false).value(in: renamed) == nil)
    }

    @Test func `a value that browsers would not keep is refused`() {
        var response = Response()
        #expect(throws: MalformedCookie.self) {
            let long = String(repeating: "a", count: 4000)
            try SignedCookie("a", key: .random(), isHTTPS: false).set(long, on: &response)
        }
    }
}
