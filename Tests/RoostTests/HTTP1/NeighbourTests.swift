import HTTPTypes
import Testing

@testable import Roost

extension HTTP1Tests {
    @Suite("RFC 9110 §5.3: field order and lists") struct ReceivedFieldTests {
        private static func headers(_ fields: String) throws -> Headers {
            let bytes = MessageBytes(copying: Array(post(fields).utf8)[...])
            var parser = RequestParser()
            var cursor = 0
            let parsed = try #require(try parser.next(in: bytes, at: &cursor))
            return parsed.request(in: bytes, body: Body()).headers
        }

        @Test func `a name is found whatever its case, and only the whole name`() throws {
            let headers = try Self.headers("ACCEPT: a\r\nAccept-Language: b\r\nX-Accept: c\r\n")
            #expect(headers[.accept] == "a")
            #expect(headers[.acceptLanguage] == "b")
            #expect(headers[.range] == nil)
            #expect(headers.contains(.accept))
            #expect(!headers.contains(.cookie))
        }

        @Test func `several lines of a name are one list`() throws {
            let headers = try Self.headers("Accept: a\r\nX: b\r\naccept:c \r\nAccept:\r\n")
            #expect(headers[.accept] == "a, c, ")
            #expect(headers[values: .accept] == ["a", "c", ""])
        }

        @Test func `what is set replaces what came`() throws {
            var headers = try Self.headers("Accept: a\r\nAccept: b\r\n")
            headers[.accept] = "c"
            #expect(headers[values: .accept] == ["c"])
            headers.append(.accept, "d")
            #expect(headers[.accept] == "c, d")
            headers[.accept] = nil
            #expect(!headers.contains(.accept))
            #expect(headers.list.map(\.value) == ["a"])
        }
    }

    @Suite("RFC 9110 §8.3.1: media types") struct MediaTypeTests {
        @Test(
            arguments: [
                ("text/html", "text", "html", [:]), ("TEXT/HTML", "text", "html", [:]),
                (" text/html ", "text", "html", [:]),
                ("text/html;charset=utf-8", "text", "html", ["charset": "utf-8"]), ("*/*", "*", "*", [:]),
                ("text/html ; Charset=\"utf-8\"", "text", "html", ["charset": "utf-8"]),
                ("a/b; c=\"d;e\\\"f\\\\g\"; h=i", "a", "b", ["c": "d;e\"f\\g", "h": "i"]),
                ("application/vnd.a+json", "application", "vnd.a+json", [:]), ("a/b;", "a", "b", [:]),
                ("a/b; ;c=d", "a", "b", ["c": "d"]),
                ("a/b; c=1; C=2", "a", "b", ["c": "1"]), ("a/b; =c", "a", "b", [:]), ("a/b; c d=e", "a", "b", [:]),
                ("a/b;\u{301}c=d;e=f", "a", "b", ["e": "f"]), ("a/b;c=\u{338}d", "a", "b", ["c": "\u{338}d"]),
                ("a/b;c=\"d\u{301}\";e=f", "a", "b", ["c": "d\u{301}", "e": "f"]),
                ("a/b;\u{212A}=c", "a", "b", [:]),
            ] as [(String, String, String, [String: String])]
        )
        func `a media type is read`(text: String, type: String, subtype: String, parameters: [String: String]) throws {
            let media = try #require(MediaType(text))
            #expect(media.type == type)
            #expect(media.subtype == subtype)
            #expect(media.parameters == parameters)
        }

        @Test(arguments: [
            "", " ", "text", "text/", "/html", "/", "text/html/x", "te xt/html", "text /html", "t(/h", ";", "é/b",
            "a/b c", "a/b\u{37E}c=d",
        ])
        func `anything else is nil`(text: String) {
            #expect(MediaType(text) == nil)
        }
    }

    @Suite("RFC 6265 §4.2: cookies") struct CookieTests {
        @Test(arguments: [
            ("K=a", "a"), (" K = a ", "a"), ("x=b;K=a;K=c", "a"), ("K=a=b", "a=b"), ("K=\"a\"", "\"a\""),
            ("\u{212A}=b; K=a", "a"), ("x=b;\u{301}y; K=a", "a"), ("x=b\u{37E}K=c;K=a", "a"), ("k=a", nil), ("K", nil),
        ])
        func `a name and a value are read as bytes`(cookies: String, value: String?) throws {
            let bytes = MessageBytes(copying: Array(post("Cookie: \(cookies)\r\n").utf8)[...])
            var parser = RequestParser()
            var cursor = 0
            let parsed = try #require(try parser.next(in: bytes, at: &cursor))
            #expect(parsed.request(in: bytes, body: Body()).cookie("K") == value)
        }
    }

    @Suite("RFC 3986 §2.1: percent-encoding as text") struct PercentEncodingTests {
        @Test(arguments: [
            ("", ""), ("abc", "abc"), ("%41%6a%6A", "Ajj"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"),
            ("a%", "a%"),
            ("%C3%A9", "é"), ("%ff", "\u{FFFD}"), ("a+b", "a+b"), ("%2B", "+"), ("%00", "\0"), ("%4%31", "%41"),
            ("%25%34%31", "%41"),
        ])
        func `escapes are decoded once, and invalid ones stay`(text: String, decoded: String) {
            #expect(PercentEncoding.decodedText(text.utf8) == decoded)
            #expect(PercentEncoding.decodedText(Array(" \(text)".utf8)[1...]) == decoded)
        }

        @Test(arguments: [
            ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b", "a%20b"), ("/?#%", "%2F%3F%23%25"), ("é\0", "%C3%A9%00"),
        ])
        func `everything but unreserved characters is encoded`(text: String, encoded: String) {
            #expect(PercentEncoding.encoded(text) == encoded)
            #expect(PercentEncoding.decodedText(encoded.utf8) == text)
        }

        @Test func `every byte survives there and back`() {
            let bytes = Array(UInt8.min...UInt8.max)
            let text = bytes.map {
                String("%" + (String($0 >> 4, radix: 16)) + String($0 & 15, radix: 16).uppercased())
            }.joined()
            #expect(PercentEncoding.decoded(text.utf8) == bytes)
        }
    }

    @Suite("WHATWG URL §5.1: forms") struct FormTests {
        @Test(
            arguments: [
                ("", []), ("a=b", ["a=b"]), ("a=b&c=d", ["a=b", "c=d"]), ("a", ["a="]), ("a=", ["a="]), ("=a", ["=a"]),
                ("=", ["="]),
                ("&", []), ("&&a=b&", ["a=b"]), ("a=b=c", ["a=b=c"]), ("a+b=c+d", ["a b=c d"]),
                ("a%3Db=%26", ["a=b=&"]),
                ("a=1&a=2", ["a=1", "a=2"]), ("%C3%A9=%ff", ["é=\u{FFFD}"]), ("a=%2B+", ["a=+ "]), ("a=%", ["a=%"]),
                ("a[]=1", ["a[]=1"]),
            ] as [(String, [String])]
        )
        func `pairs are read in order`(text: String, fields: [String]) {
            #expect(Form(text: text).fields.map { "\($0.name)=\($0.value)" } == fields)
        }

        @Test func `a name gives its first value, or all`() {
            let form = Form(text: "a=1&b=2&a=3")
            #expect(form["a"] == "1")
            #expect(form["c"] == nil)
            #expect(form[values: "a"] == ["1", "3"])
        }

        @Test func `names are compared by their bytes`() {
            let form = Form(text: "e%CC%81=1&%C3%A9=2&%E2%84%AA=3")
            #expect(form["\u{E9}"] == "2")
            #expect(form[values: "e\u{301}"] == ["1"])
            #expect(form["K"] == nil)
        }
    }
}
