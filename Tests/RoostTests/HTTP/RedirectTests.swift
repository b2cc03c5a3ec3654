import Roost
import RoostTesting
import Testing

@Suite("RFC 9110 §10.2.2: Location", .timeLimit(.minutes(5)))
struct RedirectTests {
    @Test(arguments: [
        ("/users/3?a=b&c=%20#d", "/users/3?a=b&c=%20#d"), ("https://a.example:8080/b", "https://a.example:8080/b"),
        ("//[::1]/a", "//[::1]/a"), ("", ""), ("../a;b=c,d", "../a;b=c,d"),
        ("/~-._!$&'()*+,;=:@", "/~-._!$&'()*+,;=:@"),
        ("/ümlaut", "/%C3%BCmlaut"), ("/a b", "/a%20b"), ("/e\u{301}", "/e%CC%81"), ("/😀", "/%F0%9F%98%80"),
        ("/\\evil.example", "/%5Cevil.example"), ("/<b>\"", "/%3Cb%3E%22"), ("/a\tb\u{7F}", "/a%09b%7F"),
        ("/100%", "/100%25"), ("/%zz%4", "/%25zz%254"), ("/{a}|b^`", "/%7Ba%7D%7Cb%5E%60"),
    ])
    func `bytes that a reference cannot have are encoded, others are not`(location: String, sent: String) async throws {
        let client = try TestClient { $0.get(Path("/")) { _ in Response.redirect(to: location) } }
        let response = try await client.get("/")
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == sent)
    }

    @Test(arguments: ["/a\r\nSet-Cookie: b=c", "/a\nb", "/a\rb", "/a\0b", "/a\u{301}\r\n\u{301}", "\r\n"])
    func `a line break or NUL makes it a 500, which the log explains`(location: String) async throws {
        let log = LogLines()
        let client = try TestClient(log: log) { $0.get(Path("/")) { _ in Response.redirect(to: location) } }
        let response = try await client.get("/")
        #expect(response.status == .internalServerError)
        #expect(response.headers[.location] == nil && response.headers[.setCookie] == nil)
        #expect(log.all.count == 1)
        #expect(log.all.first?.contains("Location") == true, "\(log.all)")
    }
}
