extension ProbeCase {
    /// `Content-Length` (RFC 9110 §8.6, RFC 9112 §6.2, §6.3).
    static let lengths: [ProbeCase] = bodiesOfALength + malformedLengths + unusualLengths

    private static let bodiesOfALength = [
        ProbeCase("COMP-POST-CL-BODY", post("Content-Length: 5\r\n"), .ok("hello")),
        ProbeCase("COMP-POST-CL-ZERO", post("Content-Length: 0\r\n", ""), .ok("")),
        ProbeCase("COMP-POST-NO-CL-NO-TE", post("", ""), .ok("")),
        ProbeCase("COMP-POST-CL-UNDERSEND", post("Content-Length: 10\r\n"), .waits),
        ProbeCase("MAL-POST-CL-HUGE-NO-BODY", post("Content-Length: 999999999\r\n", ""), .refused([413])),
        ProbeCase("SMUG-DUPLICATE-CL", post("Content-Length: 5\r\nContent-Length: 10\r\n", "helloworld")),
    ]

    private static let malformedLengths = each([
        "RFC9112-6.1-CL-NON-NUMERIC": "abc", "RFC9112-6.1-CL-PLUS-SIGN": "+5", "SMUG-CL-NEGATIVE": "-1",
        "SMUG-CL-NEGATIVE-ZERO": "-0", "SMUG-CL-COMMA-DIFFERENT": "5, 10", "SMUG-CL-OCTAL": "0o5",
        "SMUG-CL-HEX-PREFIX": "0x5", "SMUG-CL-INTERNAL-SPACE": "1 0", "SMUG-CL-UNDERSCORE": "1_0",
        "MAL-CL-OVERFLOW": "99999999999999999999", "MAL-CL-EMPTY": "",
    ]) { post("Content-Length: \($0)\r\n") }

    private static let unusualLengths =
        each(
            [
                "SMUG-CL-LEADING-ZEROS": " 005", "SMUG-CL-TRAILING-SPACE": " 5 ", "SMUG-CL-EXTRA-LEADING-SP": "  5",
                "MAL-CL-TAB-BEFORE-VALUE": "\t5",
            ],
            .ok("hello")
        ) { post("Content-Length:\($0)\r\n") }
        .map { $0.lenient("it is valid: Content-Length = 1*DIGIT, with blanks around it (RFC 9110 §5.5, §8.6)") } + [
            ProbeCase("SMUG-CL-DOUBLE-ZERO", post("Content-Length: 00\r\n", ""), .ok(""))
                .lenient("it is valid: Content-Length = 1*DIGIT (RFC 9110 §8.6)"),
            ProbeCase(
                "SMUG-CL-LEADING-ZEROS-OCTAL",
                post("Content-Length: 0200\r\n", String(repeating: "A", count: 200)),
                .ok(String(repeating: "A", count: 200))
            ).lenient("it is valid, and 200: Content-Length = 1*DIGIT, decimal (RFC 9110 §8.6)"),
        ]

    /// `Transfer-Encoding` (RFC 9112 §6.1, §6.3), most of them beside a `Content-Length`.
    static let codings: [ProbeCase] = codingFields + codingValues

    private static let codingFields = [
        ProbeCase("COMP-UNKNOWN-TE-501", post("Transfer-Encoding: gzip\r\n", ""), .refused([400, 501])),
        ProbeCase("SMUG-TE-NOT-FINAL-CHUNKED", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n")),
        ProbeCase("SMUG-TE-SP-BEFORE-COLON", post("Transfer-Encoding : chunked\r\nContent-Length: 5\r\n")),
        ProbeCase("SMUG-TE-OBS-FOLD", post("Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n")),
        ProbeCase(
            "SMUG-TE-HTTP10",
            "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello"
        ),
        ProbeCase(
            "SMUG-TE-DUPLICATE-HEADERS",
            post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\nContent-Length: 5\r\n")
        ),
    ]

    private static let codingValues = each([
        "SMUG-TE-XCHUNKED": "xchunked", "SMUG-TE-TRAILING-SPACE": "chunked ", "SMUG-TE-EMPTY-VALUE": "",
        "SMUG-TE-DOUBLE-CHUNKED": "chunked, chunked", "SMUG-TE-CASE-MISMATCH": "Chunked",
        "SMUG-TE-LEADING-COMMA": ", chunked", "SMUG-TE-TRAILING-COMMA": "chunked,", "SMUG-TE-IDENTITY": "identity",
        "SMUG-TE-VTAB": "\u{0B}chunked", "SMUG-TE-FORMFEED": "\u{0C}chunked", "SMUG-TE-NULL": "chunked\0",
    ]) { post("Transfer-Encoding: \($0)\r\nContent-Length: 5\r\n") }

    /// The chunked coding (RFC 9112 §7.1).
    static let chunks: [ProbeCase] = wholeChunks + malformedFirstChunks + malformedEnds

    private static let wholeChunks = [
        ProbeCase("COMP-CHUNKED-BODY", chunked("5\r\nhello\r\n0\r\n\r\n"), .ok("hello")),
        ProbeCase("COMP-CHUNKED-MULTI", chunked("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"), .ok("hello world")),
        ProbeCase("COMP-CHUNKED-EMPTY", chunked("0\r\n\r\n"), .ok("")),
        ProbeCase("COMP-CHUNKED-EXTENSION", chunked("5;name=value\r\nhello\r\n0\r\n\r\n"), .ok("hello")),
        ProbeCase("COMP-CHUNKED-TRAILER-VALID", chunked("5\r\nhello\r\n0\r\nX: y\r\n\r\n"), .ok("hello")),
        ProbeCase("COMP-CHUNKED-HEX-UPPERCASE", chunked("A\r\nhelloworld\r\n0\r\n\r\n"), .ok("helloworld")),
        ProbeCase("COMP-CHUNKED-NO-FINAL", chunked("5\r\nhello\r\n"), .waits),
    ]

    private static let malformedFirstChunks = each([
        "SMUG-CHUNK-BARE-SEMICOLON": "5;\r\nhello", "SMUG-CHUNK-EXT-INVALID-TOKEN": "5;a[=b\r\nhello",
        "SMUG-CHUNK-UNDERSCORE": "1_0\r\nhello world!!!!!", "SMUG-CHUNK-HEX-PREFIX": "0x5\r\nhello",
        "SMUG-CHUNK-SIZE-PLUS": "+5\r\nhello", "SMUG-CHUNK-SIZE-TRAILING-OWS": "5 \r\nhello",
        "SMUG-CHUNK-LEADING-SP": " 5\r\nhello", "SMUG-CHUNK-NEGATIVE": "-1\r\nhello",
        "SMUG-CHUNK-EXT-LF": "5;\nhello", "SMUG-CHUNK-SPILL": "5\r\nhello!!", "SMUG-CHUNK-EXT-CTRL": "5;\0a\r\nhello",
        "SMUG-CHUNK-EXT-CR": "5;a\rb\r\nhello", "SMUG-CHUNK-BARE-CR-TERM": "5\rhello",
        "MAL-CHUNK-SIZE-OVERFLOW": "FFFFFFFFFFFFFFFF0\r\nhello",
        "MAL-CHUNK-EXT-64K": "5;a=\(String(repeating: "A", count: 100_000))\r\nhello",
    ]) { chunked($0 + "\r\n0\r\n\r\n") }

    private static let malformedEnds = each([
        "SMUG-CHUNK-MISSING-TRAILING-CRLF": "5\r\nhello0\r\n\r\n", "SMUG-CHUNK-LF-TERM": "5\r\nhello\n0\r\n\r\n",
        "SMUG-CHUNK-LF-TRAILER": "5\r\nhello\r\n0\r\n\n",
    ]) { chunked($0) }

    /// Bodies whose end two servers see at different places, most with a request inside: the only right response is
    /// 400.
    static let smuggled = [
        ProbeCase("SMUG-CL-TE-BOTH", both("D\r\nhello-bananas\r\n0\r\n\r\n")),
        ProbeCase("SMUG-CLTE-PIPELINE", both("0\r\n\r\n", length: "4")),
        ProbeCase("SMUG-TECL-PIPELINE", reversed("0\r\n\r\n", length: "30")),
        ProbeCase("SMUG-CLTE-CONN-CLOSE", both("0\r\n\r\n" + get())),
        ProbeCase("SMUG-TECL-CONN-CLOSE", reversed("0\r\n\r\n" + get(), length: "5")),
        ProbeCase("SMUG-CLTE-DESYNC", both("0\r\n\r\nX" + get(), length: "6")),
        ProbeCase("SMUG-TECL-DESYNC", reversed("0\r\n\r\nX" + get(), length: "30")),
        ProbeCase("SMUG-CLTE-SMUGGLED-GET", both(withGet)),
        ProbeCase("SMUG-CLTE-SMUGGLED-HEAD", both("0\r\n\r\nHEAD / HTTP/1.1\r\nHost: a\r\n\r\n")),
        ProbeCase("SMUG-CLTE-SMUGGLED-GET-CL-PLUS", both(withGet, length: "+\(withGet.utf8.count)")),
        ProbeCase("SMUG-CLTE-SMUGGLED-GET-CL-NON-NUMERIC", both(withGet, length: "\(withGet.utf8.count)x")),
        ProbeCase("SMUG-CLTE-SMUGGLED-GET-TE-OBS-FOLD", both(withGet, coding: "\r\n chunked")),
        ProbeCase("SMUG-CLTE-SMUGGLED-GET-TE-TRAILING-SPACE", both(withGet, coding: "chunked ")),
        ProbeCase("SMUG-CLTE-SMUGGLED-GET-TE-LEADING-COMMA", both(withGet, coding: ", chunked")),
        ProbeCase("SMUG-CLTE-SMUGGLED-GET-TE-CASE-MISMATCH", both(withGet, coding: "Chunked")),
        ProbeCase(
            "SMUG-TE-DUPLICATE-HEADERS-SMUGGLED-GET",
            both(withGet, coding: "chunked\r\nTransfer-Encoding: identity")
        ),
        ProbeCase("SMUG-TECL-SMUGGLED-GET", reversed("2f\r\n\(get())\r\n0\r\n\r\n", length: "4")),
        ProbeCase(
            "SMUG-DUPLICATE-CL-SMUGGLED-GET",
            post("Content-Length: 4\r\nContent-Length: 51\r\n", "PING" + get())
        ),
        ProbeCase(
            "SMUG-OPTIONS-TE-OBS-FOLD",
            "OPTIONS / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\nhello" + get()
        ),
        ProbeCase("SMUG-CHUNK-INVALID-SIZE-DESYNC", chunked("+0\r\n\r\nX" + get())),
        ProbeCase("SMUG-BARE-CR-HEADER-VALUE", post("Content-Length: 5\r\nX: a\rb\r\n")),
    ]

    private static let withGet = "0\r\n\r\n" + get()

    private static func both(_ body: String, length: String? = nil, coding: String = "chunked") -> String {
        post("Content-Length: \(length ?? "\(body.utf8.count)")\r\nTransfer-Encoding: \(coding)\r\n", body)
    }

    private static func reversed(_ body: String, length: String) -> String {
        post("Transfer-Encoding: chunked\r\nContent-Length: \(length)\r\n", body)
    }
}
