import Testing

@testable import Roost

@Suite("RFC 9110 §12.5.1: Accept", .timeLimit(.minutes(5)))
struct AcceptTests {
    private static let chrome =
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,"
        + "application/signed-exchange;v=b3;q=0.7"

    @Test(arguments: [
        (nil, "json"),
        ("", "json"),
        ("*/*", "json"),
        ("application/json", "json"),
        ("application/*", "json"),
        ("text/html", "html"),
        ("TEXT/HTML", "html"),
        ("text/*", "html"),
        (chrome, "html"),
        ("text/html, application/json", "json"),
        ("text/html;q=0.9, application/json;q=0.8", "html"),
        ("text/html;q=0.8, application/json;q=0.9", "json"),
        ("text/html;q=0.001, application/json;q=0", "html"),
        ("*/*;q=0.1, text/html", "html"),
        ("*/*, application/json;q=0", "html"),
        ("*/*, text/html;q=0", "json"),
        ("*/*, application/*;q=0.5, application/json;q=0.1", "html"),
        ("text/*;q=0.5, text/html;q=0", "none"),
        ("application/json;q=0", "none"),
        ("*/*;q=0", "none"),
        ("*/*;q=0.0", "none"),
        ("*/*;q=0.000", "none"),
        ("image/png", "none"),
        ("image/*, audio/*", "none"),
        ("application/xml", "none"),
        ("application/problem+json", "none"),
    ])
    func `the most specific range gives a type its quality, and the best type wins`(field: String?, best: String) {
        #expect(Self.best(field) == best)
    }

    @Test(arguments: [
        ("text/html ; q=0.5 , application/json;q=0.4", "html"),
        ("text/html;Q=0.5, application/json;q=0.6", "json"),
        (",,text/html,,", "html"),
        ("text/html;q=1.000, application/json;q=0.999", "html"),
        ("text/html;q=0., application/json;q=1.", "json"),
        ("text/html;charset=utf-8", "html"),
        ("text/html;level=1", "none"),
        ("text/html;level=1, application/json;q=0.1", "json"),
        ("text/html;a=\",application/json\";q=0.5, text/html;q=0.1", "html"),
    ])
    func `blanks, empty elements and parameters are read as the grammar says`(field: String, best: String) {
        #expect(Self.best(field) == best)
    }

    @Test(arguments: [
        "text", "text/", "/html", "text/html/x", "*/html", "text html", "text/html;q=2", "text/html;q=1.001",
        "text/html;q=-1", "text/html;q=.5", "text/html;q=0.1234", "text/html;q=", "text/html;q=high", "te xt/html",
        "\u{661}/\u{662}", "text/html;q=0.\u{661}", "text/html;q=0.:",
    ])
    func `a malformed range counts as absent`(range: String) {
        #expect(Self.best(range + ", text/html;q=0.5") == "html")
        #expect(Self.best("text/html;q=0.5," + range) == "html")
        #expect(Self.best(range + ", application/json;q=0.001") == "json")
    }

    @Test func `a thousand ranges are read, and none after them`() {
        let many = (0..<998).map { "a/b\($0);q=0.5" } + [",", "malformed"]
        #expect(Self.best((many + ["text/html;q=0.1"]).joined(separator: ",")) == "html")
        #expect(Self.best((many + ["c/d", "text/html;q=0.1"]).joined(separator: ",")) == "none")
    }

    @Test(arguments: [
        ("Accept: text/html;q=0.5\r\nAccept: application/json;q=0.6\r\n", "json"),
        ("Accept: text/html;q=0.5\r\nX: y\r\naccept:application/json;q=0.4\r\n", "html"),
        ("Accept:\r\n", "json"),
        ("", "json"),
    ])
    func `several lines are one list, which a request keeps parsed`(fields: String, best: String) throws {
        var request = try Self.request(fields)
        #expect(request.acceptWord == nil)
        #expect(Self.name(request.accept.best(of: [.json, .html])) == best)
        #expect(request.acceptWord == request.accept.word)
        let original = request
        request.method = .post
        #expect(request.acceptWord == original.acceptWord)
    }

    @Test func `what one request accepts says nothing about the next one on its thread`() throws {
        let long = "Accept: " + String(repeating: "a/b,", count: 200) + "text/html\r\n"
        let all = [
            ("Accept: text/html\r\n", "html"), ("Accept: text/html\r\n", "html"), ("Accept: text/htmx\r\n", "none"),
            ("Accept: application/json\r\n", "json"), ("", "json"), ("Accept: text/html\r\n", "html"), (long, "html"),
            ("Accept: text/html\r\nAccept: application/json\r\n", "json"), ("Accept:\r\n", "json"),
            ("Accept: text/html\r\n", "html"), ("Accept: a/b\r\n", "none"),
        ]
        for (fields, best) in all + all.reversed() {
            #expect(Self.name(try Self.request(fields).accept.best(of: [.json, .html])) == best, "\(fields)")
        }
    }

    private static func request(_ fields: String) throws -> Request {
        let head = "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
        let received = MessageBytes(copying: Array(head.utf8)[...])
        var parser = RequestParser()
        var cursor = 0
        return try #require(try parser.next(in: received, at: &cursor)).request(in: received, body: Body())
    }

    private static func best(_ field: String?) -> String {
        name(Accept(field).best(of: [.json, .html]))
    }

    private static func name(_ offer: Accept.Offer?) -> String {
        switch offer {
        case .json: "json"
        case .html: "html"
        default: "none"
        }
    }
}
