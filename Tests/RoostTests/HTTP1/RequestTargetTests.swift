import HTTPTypes
import Testing

@testable import Roost

extension HTTP1Tests {
    @Suite("RFC 9112 §3.2: request target") struct RequestTargetTests {
        @Test(
            arguments: [
                ("/", "/", nil), ("/users", "/users", nil), ("/users/", "/users/", nil), ("//", "//", nil),
                ("/a//b", "/a//b", nil), ("/?", "/", ""), ("/?a=b&c", "/", "a=b&c"), ("/a?b?c", "/a", "b?c"),
                ("/a?/b/../c", "/a", "/b/../c"), ("/a;b=c", "/a;b=c", nil),
                ("/-._~!$&'()*+,;=:@", "/-._~!$&'()*+,;=:@", nil),
                ("/%41%2f%7e", "/%41%2f%7e", nil), ("/%C3%A9", "/%C3%A9", nil), ("/?%20%41", "/", "%20%41"),
                ("/?a=*", "/", "a=*"), ("/*", "/*", nil), ("/http://a/", "/http://a/", nil),
                // Not in the grammar, but sent unchanged by browsers (WHATWG URL §1.3).
                ("/[a]|b^", "/[a]|b^", nil), ("/?a[]={b}|`c`^\\", "/", "a[]={b}|`c`^\\"),
            ] as [(String, String, String?)]
        )
        func `the origin form is a path and an optional query`(target: String, path: String, query: String?) throws {
            let message = try whole(get(target))
            #expect(message.target == target)
            #expect(message.path == path)
            #expect(message.query == query)
            #expect(message.authority == "a")
        }

        @Test(
            arguments: [
                ("http://b/", "/", nil, "b"), ("http://b/c", "/c", nil, "b"), ("http://b/c?d", "/c", "d", "b"),
                ("HTTP://b/c", "/c", nil, "b"), ("https://b/c", "/c", nil, "b"), ("hTTpS://b/", "/", nil, "b"),
                ("http://b:80/", "/", nil, "b:80"), ("http://[::1]:80/c", "/c", nil, "[::1]:80"),
                ("http://b", "/", nil, "b"), ("https://b:8080", "/", nil, "b:8080"), ("http://b?c", "/", "c", "b"),
                ("http://b/../c", "/c", nil, "b"), ("http://b/%2e%2e/c?../d", "/c", "../d", "b"),
            ] as [(String, String, String?, String)]
        )
        func `the absolute form's authority beats Host`(
            target: String,
            path: String,
            query: String?,
            authority: String
        ) throws {
            let message = try whole(get(target))
            #expect(message.path == path)
            #expect(message.query == query)
            #expect(message.authority == authority)
        }

        @Test(arguments: [
            "http://", "http:///a", "http://?a", "http:/a", "http:a", "http://u@b/", "http://u:p@b/", "http://b:x/",
            "http://b:65536/", "http://b:-1/", "http://[::1/", "http://[b]/", "http://b c/", "http://b\\c/", "://b/",
            "http//b/", "ftp://b/", "ws://b/", "javascript:1", "http://b#c", "http://b/#c",
        ])
        func `a malformed absolute form is refused`(target: String) {
            let error: ParseError = target.contains(" ") ? .malformedRequestLine : .malformedTarget
            #expect(read(get(target)) == .invalid(error))
        }

        @Test(arguments: ["GET", "HEAD", "POST", "options"])
        func `the asterisk form is for OPTIONS only`(method: String) throws {
            let fields = "HTTP/1.1\r\nHost: a\r\n\r\n"
            #expect(try whole("OPTIONS * \(fields)").path == "")
            #expect(read("\(method) * \(fields)") == .invalid(.malformedTarget))
        }

        @Test(arguments: [("OPTIONS", "http://b", ""), ("OPTIONS", "http://b?", "/"), ("OPTIONS", "http://b/", "/")])
        func `an absolute form without path and query is OPTIONS' asterisk`(
            method: String,
            target: String,
            path: String
        ) throws {
            #expect(try whole("\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n").path == path)
        }

        @Test(arguments: ["a:443", "a", "[::1]:443", "a:443/"])
        func `the authority form is for CONNECT, which is not offered`(target: String) {
            #expect(read("CONNECT \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == .invalid(.malformedTarget))
            #expect(read(get(target)) == .invalid(.malformedTarget))
        }

        @Test(arguments: ["users", "?a", "**", "*/", "../a", ".", "%2f", "\\", ":", "-"])
        func `a target of no known form is refused`(target: String) {
            #expect(read(get(target)) == .invalid(.malformedTarget))
        }

        @Test(arguments: [
            "\0", "\u{01}", "\t", "\u{0B}", "\u{1F}", "\u{7F}", "\u{80}", "é", "\u{FEFF}", "#", "#a", "\"", "<", ">",
        ])
        func `bytes that no target contains are refused in path and query`(text: String) {
            for target in ["/\(text)", "/a\(text)b", "/?\(text)", "/a?b=\(text)", "http://b/\(text)"] {
                #expect(read(get(target)) == .invalid(.malformedTarget), "\(target)")
            }
        }

        @Test(arguments: ["\\", "{", "}", "`"])
        func `characters that browsers encode in a path are refused there`(text: String) {
            #expect(read(get("/a\(text)")) == .invalid(.malformedTarget))
        }
    }

    @Suite("RFC 3986 §2.1: percent escapes") struct PercentEscapeTests {
        @Test(arguments: ["%", "%4", "%zz", "%4g", "%g4", "% ", "%%41", "%+1", "%-1", "%0x41", "%u0041", "%\u{FF}"])
        func `an invalid escape is refused in path and query`(escape: String) {
            for target in ["/\(escape)", "/a\(escape)/b", "/?\(escape)", "/?a=\(escape)&b", "http://b/\(escape)"]
            where !target.contains(" ") {
                #expect(read(get(target)) == .invalid(.malformedEscape), "\(target)")
            }
        }

        @Test(arguments: ["/%00", "/a%00b", "/a/%00/b", "/.%00", "/?%00", "/?a=%00&b"])
        func `an encoded NUL is refused`(target: String) {
            #expect(read(get(target)) == .invalid(.malformedEscape))
        }

        @Test(arguments: [
            ("/%61b", "/ab"), ("/a%2Fb", "/a/b"), ("/%C3%A9", "/é"), ("/%ff", "/\u{FFFD}"), ("/%25", "/%"),
        ])
        func `a path is decoded once`(target: String, path: String) throws {
            let bytes = MessageBytes(copying: Array(get(target).utf8)[...])
            var parser = RequestParser()
            var cursor = 0
            let parsed = try #require(try parser.next(in: bytes, at: &cursor))
            #expect(parsed.request(in: bytes, body: Body()).path == path)
        }
    }

    @Suite("RFC 3986 §5.2.4: dot segments") struct DotSegmentTests {
        @Test(arguments: [
            ("/.", "/"), ("/./", "/"), ("/..", "/"), ("/../", "/"), ("/a/.", "/a/"), ("/a/./", "/a/"), ("/a/..", "/"),
            ("/a/../", "/"), ("/a/../b", "/b"), ("/a/./b", "/a/b"), ("/../../../b", "/b"), ("/a/b/../../../../c", "/c"),
            ("/a/b/c/./../../g", "/a/g"), ("/mid/content=5/../6", "/mid/6"), ("/%2e", "/"), ("/%2E%2e/a", "/a"),
            ("/.%2e/a", "/a"), ("/%2e./a", "/a"), ("/a/%2e%2E/b", "/b"), ("/a/%2e/b", "/a/b"), ("/a//../b", "/a/b"),
            ("/a/..//b", "//b"), ("/.//b", "//b"), ("//../b", "/b"), ("/a/%2e%2e", "/"), ("/../?/../x", "/"),
        ])
        func `dots are resolved, encoded or not, and never above the root`(target: String, path: String) throws {
            let message = try whole(get(target))
            #expect(message.path == path)
            #expect(message.target == target)
            #expect(message.fields.map(\.value) == ["a"])
            #expect(message.authority == "a")
            #expect(try whole(get(path)).path == path)
        }

        @Test(arguments: [
            "/...", "/.a", "/a.", "/..a", "/a..", "/.well-known/x", "/a/.../b", "/..;/b", "/%2e%2e%2fb", "/..%2f..%2fb",
            "/%252e%252e/b", "/.%20", "/..%5cb",
        ])
        func `other segments stay as they are`(path: String) throws {
            #expect(try whole(get(path)).path == path)
        }

        @Test func `a resolved head keeps its query, its fields and its missing host`() throws {
            let message = try whole("GET /a/../b?c=../d HTTP/1.0\r\nX-Y: z\r\n\r\n")
            #expect(message.path == "/b")
            #expect(message.query == "c=../d")
            #expect(message.fields.map(\.value) == ["z"])
            #expect(message.authority == "")
        }

        @Test func `the copy that a resolved head needs is of that head only`() throws {
            let bytes = MessageBytes(copying: Array((get("/b") + get("/./a") + get("/b")).utf8)[...])
            var parser = RequestParser()
            var cursor = 0
            _ = try parser.next(in: bytes, at: &cursor)
            let parsed = try #require(try parser.next(in: bytes, at: &cursor))
            #expect(parsed.request(in: bytes, body: Body()).bytes.capacity <= get("/./a").utf8.count + 2)
        }
    }
}

extension MessageBytes {
    convenience init(copying bytes: ArraySlice<UInt8>) {
        self.init(capacity: bytes.count)
        for byte in bytes {
            base[count] = byte
            count += 1
        }
    }
}
