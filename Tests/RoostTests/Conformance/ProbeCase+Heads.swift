import HTTPTypes

extension ProbeCase {
    /// Lines and what is between them (RFC 9112 §2.2, §5).
    static let messages = [
        ProbeCase("COMP-BASELINE", get(), .ok("OK")),
        ProbeCase("RFC9112-2.2-BARE-LF-REQUEST-LINE", "GET / HTTP/1.1\nHost: a\r\n\r\n"),
        ProbeCase("RFC9112-2.2-BARE-LF-HEADER", "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n"),
        ProbeCase("RFC9112-3-CR-ONLY-LINE-ENDING", "GET / HTTP/1.1\rHost: a\r\n\r\n"),
        ProbeCase("COMP-LEADING-CRLF", "\r\n\r\n" + get(), .ok("OK"))
            .lenient("a server should ignore an empty line before a request (RFC 9112 §2.2)"),
        ProbeCase("COMP-WHITESPACE-BEFORE-HEADERS", "GET / HTTP/1.1\r\n \r\nHost: a\r\n\r\n"),
        ProbeCase("RFC9112-5.1-OBS-FOLD", get("X: y\r\n z\r\n")),
        ProbeCase("RFC9110-5.6.2-SP-BEFORE-COLON", get("X : y\r\n")),
        ProbeCase("RFC9112-5-EMPTY-HEADER-NAME", get(": y\r\n")),
        ProbeCase("RFC9112-5-INVALID-HEADER-NAME", get("X[y: z\r\n")),
        ProbeCase("RFC9112-5-HEADER-NO-COLON", get("X\r\n")),
        ProbeCase("NORM-UNDERSCORE-CL", post("Content-Length: 5\r\nContent_Length: 99\r\n")),
        ProbeCase("NORM-SP-BEFORE-COLON-CL", post("Content-Length: 5\r\nContent-Length : 1\r\n")),
        ProbeCase("NORM-TAB-IN-NAME", post("Content-Length: 5\r\nContent\tLength: 99\r\n")),
        ProbeCase("NORM-UNDERSCORE-TE", post("Transfer_Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n")),
    ]

    /// RFC 9112 §2.3, §3.
    static let requestLines = [
        ProbeCase("RFC9112-3-MULTI-SP-REQUEST-LINE", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ProbeCase("COMP-REQUEST-LINE-TAB", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        ProbeCase("RFC9112-3-MISSING-TARGET", "GET HTTP/1.1\r\nHost: a\r\n\r\n"),
        ProbeCase("COMP-SPACE-IN-TARGET", get(target: "/pa th")),
        ProbeCase("RFC9112-3.2-FRAGMENT-IN-TARGET", get(target: "/path#part")),
        ProbeCase("RFC9112-2.3-HTTP09-REQUEST", "GET /\r\n"),
        ProbeCase("RFC9112-2.3-INVALID-VERSION", "GET / HTTP/9.9\r\nHost: a\r\n\r\n", .refused([505])),
        ProbeCase("COMP-VERSION-MISSING-MINOR", "GET / HTTP/1\r\nHost: a\r\n\r\n"),
        ProbeCase("COMP-VERSION-LEADING-ZEROS", "GET / HTTP/01.01\r\nHost: a\r\n\r\n"),
        ProbeCase("COMP-VERSION-WHITESPACE", "GET / HTTP/ 1.1\r\nHost: a\r\n\r\n"),
        ProbeCase("COMP-VERSION-CASE", "GET / http/1.1\r\nHost: a\r\n\r\n"),
        ProbeCase("COMP-ASTERISK-WITH-GET", get(target: "*")),
        ProbeCase("COMP-OPTIONS-STAR", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", .status([200, 204])),
        ProbeCase("COMP-LONG-URL-OK", get(target: "/" + String(repeating: "a", count: 7_900)), .status([404])),
        ProbeCase("COMP-METHOD-CASE", "get / HTTP/1.1\r\nHost: a\r\n\r\n", .status([405, 501])),
        ProbeCase("COMP-UNKNOWN-METHOD", "FOOBAR / HTTP/1.1\r\nHost: a\r\n\r\n", .status([405, 501])),
        ProbeCase("COMP-METHOD-CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n"),
    ]

    /// RFC 9112 §3.2, RFC 9110 §7.2.
    static let hosts = [
        ProbeCase("RFC9112-7.1-MISSING-HOST", "GET / HTTP/1.1\r\n\r\n"),
        ProbeCase("RFC9110-5.4-DUPLICATE-HOST", get("Host: b\r\n")),
        ProbeCase("COMP-DUPLICATE-HOST-SAME", get("Host: a:8080\r\n")),
        ProbeCase("COMP-HOST-WITH-USERINFO", "GET / HTTP/1.1\r\nHost: b@a\r\n\r\n"),
        ProbeCase("COMP-HOST-WITH-PATH", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        ProbeCase("COMP-HOST-EMPTY-VALUE", "GET / HTTP/1.1\r\nHost: \r\n\r\n"),
        ProbeCase("SMUG-MULTIPLE-HOST-COMMA", "GET / HTTP/1.1\r\nHost: a:8080, b\r\n\r\n"),
    ]

    /// The meaning of a request, and the fields that a response must have (RFC 9110).
    static let semantics = [
        ProbeCase("COMP-EXPECT-UNKNOWN", get("Expect: 200-ok\r\n"), .refused([417])),
        ProbeCase("COMP-UPGRADE-POST", post(webSocket("13") + "Content-Length: 5\r\n"), .ok("hello")),
        ProbeCase("COMP-UPGRADE-MISSING-CONN", get("Upgrade: websocket\r\n"), .ok("OK")),
        ProbeCase("COMP-UPGRADE-UNKNOWN", get("Connection: Upgrade\r\nUpgrade: made-up/1.0\r\n"), .ok("OK")),
        ProbeCase("COMP-UPGRADE-INVALID-VER", get(webSocket("99")), .ok("OK"))
            .lenient("no other protocol is spoken, so an Upgrade is ignored, which any server may (RFC 9110 §7.8)"),
        ProbeCase("COMP-UPGRADE-HTTP10", "GET / HTTP/1.0\r\nHost: a\r\n\(webSocket("13"))\r\n", .last),
        ProbeCase("COMP-CONNECTION-CLOSE", get("Connection: close\r\n"), .last),
        ProbeCase("COMP-HTTP10-DEFAULT-CLOSE", "GET / HTTP/1.0\r\nHost: a\r\n\r\n", .last),
        ProbeCase("COMP-NO-1XX-HTTP10", http10("Expect: 100-continue\r\n"), .has([200], .date)),
        ProbeCase("COMP-HEAD-NO-BODY", "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", .lacks([200], .transferEncoding)),
        ProbeCase("COMP-405-ALLOW", "DELETE / HTTP/1.1\r\nHost: a\r\n\r\n", .has([405], .allow)),
        ProbeCase("COMP-OPTIONS-ALLOW", "OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", .has([200, 204], .allow)),
        ProbeCase("COMP-NO-CL-IN-204", "OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", .lacks([204], .contentLength)),
        ProbeCase("COMP-DATE-HEADER", get(), .has([200], .date)),
        ProbeCase("COMP-CONTENT-TYPE", get(), .has([200], .contentType)),
        ProbeCase("COMP-RANGE-POST", post("Content-Length: 5\r\nRange: bytes=0-1\r\n"), .ok("hello")),
        ProbeCase(
            "COMP-DUPLICATE-CT",
            post("Content-Length: 5\r\nContent-Type: text/plain\r\nContent-Type: text/html\r\n"),
            .ok("hello")
        ).lenient("the type is for the handler that reads the body; decoding it as a form or JSON refuses such a type"),
    ]

    private static func webSocket(_ version: String) -> String {
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            + "Sec-WebSocket-Version: \(version)\r\n"
    }

    private static func http10(_ fields: String) -> String {
        "POST / HTTP/1.0\r\nHost: a\r\n\(fields)Content-Length: 5\r\n\r\nhello"
    }
}
