import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

@Suite("Cookies", .timeLimit(.minutes(5)))
struct CookieTests {
    @Test func `a cookie is for the whole site, hidden from scripts and from other sites unless said otherwise`() throws
    {
        var cookie = Cookie(name: "a", value: "b")
        #expect(try cookie.serialized() == "a=b; Path=/; HttpOnly; SameSite=Lax")
        cookie.maxAge = .seconds(60)
        cookie.isSecure = true
        cookie.sameSite = .strict
        cookie.path = "/admin"
        #expect(try cookie.serialized() == "a=b; Path=/admin; Max-Age=60; Secure; HttpOnly; SameSite=Strict")
        cookie.isHTTPOnly = false
        cookie.sameSite = .none
        cookie.maxAge = .zero
        #expect(try cookie.serialized() == "a=b; Path=/admin; Max-Age=0; Secure; SameSite=None")
    }

    @Test(arguments: [
        "__Host-a", "__host-a", "__HOST-A", "__Secure-a", "__secure-a", "__SeCuRe-", "__Host-",
    ])
    func `browsers accept a name with a prefix only with what it promises (RFC 6265bis §4.1.3)`(name: String) throws {
        var cookie = Cookie(name: name, value: "b")
        #expect(throws: MalformedCookie.self) { try cookie.serialized() }
        cookie.isSecure = true
        #expect(try cookie.serialized() == "\(name)=b; Path=/; Secure; HttpOnly; SameSite=Lax")
        cookie.path = "/admin"
        if name.lowercased().hasPrefix("__host-") {
            #expect(throws: MalformedCookie.self) { try cookie.serialized() }
        } else {
            #expect(try cookie.serialized().contains("; Path=/admin; Secure"))
        }
        #expect(try Cookie(name: "a" + name, value: "b").serialized() == "a\(name)=b; Path=/; HttpOnly; SameSite=Lax")
    }

    @Test func `browsers take SameSite=None only with Secure (RFC 6265bis §5.7)`() throws {
        var cookie = Cookie(name: "a", value: "b")
        cookie.sameSite = .none
        let error = #expect(throws: MalformedCookie.self) { try cookie.serialized() }
        #expect(error?.description == "The cookie \"a\" is SameSite=None but not Secure; set isSecure.")
        cookie.isSecure = true
        #expect(try cookie.serialized() == "a=b; Path=/; Secure; HttpOnly; SameSite=None")
    }

    @Test func `browsers take at most 4096 bytes of name and value (RFC 6265bis §5.7)`() throws {
        let value = String(repeating: "b", count: 4092)
        #expect(try Cookie(name: "name", value: value).serialized().utf8.count > 4096)
        #expect(throws: MalformedCookie.self) { try Cookie(name: "names", value: value).serialized() }
    }

    @Test(arguments: [
        ";", "; Domain=evil.example", "\r\n", "\n", "\r", "\0", "\t", " ", "a b", "a,b", "a;b", "\"a\"", "a\\b", "ä",
        "\u{7F}", "\u{37E}", "😀",
    ])
    func `characters that would change the rest of the field are refused in name, value and path`(text: String) {
        var inPath = Cookie(name: "a", value: "b")
        inPath.path = "/" + text
        for cookie in [Cookie(name: "a" + text, value: "b"), Cookie(name: "a", value: text), inPath] {
            #expect(throws: MalformedCookie.self) { try cookie.serialized() }
            var response = Response()
            #expect(throws: MalformedCookie.self) { try response.setCookie(cookie) }
            #expect(response.headers.list.isEmpty)
        }
    }

    @Test(arguments: ["", "a=b", "a/b", "(a)", "a@b", "ä", "a\u{301}"])
    func `a name is a token`(name: String) {
        #expect(throws: MalformedCookie.self) { try Cookie(name: name, value: "b").serialized() }
    }

    @Test(arguments: [
        ("a=1", "1"),
        ("b=2; a=1", "1"),
        ("b=2;a=1;c=3", "1"),
        ("a=1; a=2", "1"),
        ("a=", ""),
        ("a==", "="),
        ("a=b=c", "b=c"),
        ("  a  =  1  ", "1"),
        ("a; b; a=1", "1"),
        (";;; a=1;", "1"),
        ("aa=2; A=3; a=1", "1"),
        ("a=\"quoted\"", "\"quoted\""),
        ("b=x;y; a=1", "1"),
    ])
    func `the first cookie of a name is found`(field: String, value: String) async throws {
        #expect(try await Self.client().get("/", headers: [.cookie: field]).text == value)
    }

    @Test(arguments: ["", "a", "b=1", "=a", "aa=1", "A=1", "b=a=1", ";", "=", "a\u{301}=1"])
    func `a cookie that was not sent is nil`(field: String) async throws {
        #expect(try await Self.client().get("/", headers: [.cookie: field]).text == "none")
    }

    @Test(arguments: [
        (["b=2", "a=1"], "1"), (["b=2; c=3", "d=4;a=1"], "1"), (["a=1", "a=2"], "1"), (["", "a=1"], "1"),
        (["b=1, a=2", "a=3"], "3"), (["b=2", "c=3"], "none"),
    ])
    func `cookies may be spread over several lines, as proxies of HTTP 2 leave them (RFC 9113 §8.2.3)`(
        lines: [String],
        value: String
    ) async throws {
        let fields = lines.map { "Cookie: \($0)\r\n" }.joined()
        let connection = try await Self.client().connection(sending: "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        #expect(try await connection.readResponse().text == value)
    }

    @Test func `such lines are joined as one line would have them`() async throws {
        let client = try TestClient { $0.get(Path("/")) { request in request.headers[.cookie] ?? "none" } }
        let text = "GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1\r\nX: y\r\ncookie: b=2; c=3\r\n\r\n"
        #expect(try await client.connection(sending: text).readResponse().text == "a=1; b=2; c=3")
        var list = Headers()
        list.append(.cookie, "a=1")
        list.append(.cookie, "b=2")
        list.append(.accept, "x")
        list.append(.accept, "y")
        #expect(list[.cookie] == "a=1; b=2")
        #expect(list[.accept] == "x, y")
    }

    private static func client() throws -> TestClient {
        try TestClient { $0.get(Path("/")) { request in request.cookie("a") ?? "none" } }
    }
}
