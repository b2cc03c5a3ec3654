extension ProbeCase {
    private static let long = String(repeating: "A", count: 100_000)

    /// Too long and too many (RFC 9112 §3, RFC 6585 §5).
    static let sizes = [
        ProbeCase("MAL-LONG-URL", get(target: "/" + long), .refused([414])),
        ProbeCase("MAL-LONG-METHOD", "\(long) / HTTP/1.1\r\nHost: a\r\n\r\n", .refused([501]))
            .lenient("400 is wanted there; a method longer than any known one should be 501 (RFC 9112 §3)"),
        ProbeCase("MAL-LONG-HEADER-NAME", get("\(long): y\r\n"), .refused([431])),
        ProbeCase("MAL-LONG-HEADER-VALUE", get("X: \(long)\r\n"), .refused([431])),
        ProbeCase(
            "MAL-MANY-HEADERS",
            get((0..<10_000).map { "X-\($0): y\r\n" }.joined()),
            .refused([431])
        ),
    ]

    /// Bytes that no request contains.
    static let bytes = [
        ProbeCase("MAL-BINARY-GARBAGE", (0..<256).map { UInt8(truncatingIfNeeded: 0xA7 &+ $0 &* 89) }),
        ProbeCase("MAL-NUL-IN-URL", get(target: "/\0a")),
        ProbeCase("MAL-NON-ASCII-URL", get(target: "/café")),
        ProbeCase(
            "MAL-URL-OVERLONG-UTF8", Array("GET /".utf8) + [0xC0, 0xAF] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)),
        ProbeCase("MAL-URL-PERCENT-NULL", get(target: "/a%00.html")),
        ProbeCase("MAL-URL-PERCENT-CRLF", get(target: "/a%0d%0aX:%20y"), .status([404]))
            .lenient("the escapes are valid, and decoded only after the lines have been parted (RFC 3986 §2.1)"),
        ProbeCase("MAL-NON-ASCII-HEADER-NAME", get("X-Të: y\r\n")),
        ProbeCase("MAL-CONTROL-CHARS-HEADER", get("X: a\u{07}\u{08}\u{0B}b\r\n")),
        ProbeCase("MAL-NUL-IN-HEADER-VALUE", get("X: a\0b\r\n")),
        ProbeCase("MAL-INCOMPLETE-REQUEST", "GET / HTTP/1.1\r\nHost: a\r\nX: y", .waits),
        ProbeCase("MAL-EMPTY-REQUEST", "", .waits),
        ProbeCase("MAL-WHITESPACE-ONLY-LINE", "   \r\n\r\n"),
        ProbeCase("MAL-H2-PREFACE", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .refused([400, 505])),
    ]
}
