import HTTPTypes
import Testing

@testable import Roost

extension HTTP1Tests {
    @Suite("RFC 9112 §2.3: HTTP version") struct VersionTests {
        @Test(arguments: [("HTTP/1.1", false), ("HTTP/1.0", true), ("HTTP/1.2", false), ("HTTP/1.9", false)])
        func `every 1.x is read, and only 1.0 as 1.0`(version: String, isHTTP10: Bool) throws {
            #expect(try whole("GET / \(version)\r\nHost: a\r\n\r\n").isHTTP10 == isHTTP10)
        }

        @Test(arguments: ["HTTP/2.0", "HTTP/3.0", "HTTP/0.9", "HTTP/0.0", "HTTP/9.9"])
        func `another major version gets 505`(version: String) {
            let outcome = read("GET / \(version)\r\nHost: a\r\n\r\n")
            #expect(outcome == .invalid(.unsupportedVersion))
            #expect(outcome.error?.status.code == 505)
        }

        @Test func `the preface of HTTP/2 gets 505`() {
            #expect(read("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") == .invalid(.unsupportedVersion))
        }

        @Test(arguments: [
            "http/1.1", "Http/1.1", "HTTP/1", "HTTP/1.", "HTTP/.1", "HTTP/1.10", "HTTP/01.1", "HTTP/11.1", "HTTP/1,1",
            "HTTP 1.1", "HTTP/1.1 ", " HTTP/1.1", "HTTP/ 1.1", "HTTP/1 .1", "HTTP/1.a", "HTTP/a.1", "HTTP/+1.1",
            "HTTP/-1.1", "HTTP/0x1.1", "HTTPS/1.1", "HTP/1.1", "XHTTP/1.1", "HTTP/1.1\t", "\tHTTP/1.1", "HTTP/1.1\0",
            "HTTP\\1.1", "1.1", "", " ", "HTTP/1.:", "HTTP/:.1", "HTTP/1./", "HTTP//.1",
        ])
        func `a malformed version gets 400`(version: String) {
            let outcome = read("GET / \(version)\r\nHost: a\r\n\r\n")
            #expect(outcome == .invalid(.malformedRequestLine))
            #expect(outcome.error?.status.code == 400)
        }

        @Test func `a request of HTTP/0.9 has no version and is refused`() {
            #expect(read("GET /\r\n") == .invalid(.malformedRequestLine))
            #expect(read("GET /\r\n\r\n") == .invalid(.malformedRequestLine))
        }
    }

    @Suite("RFC 9112 §3: request line") struct RequestLineTests {
        @Test(arguments: [
            "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "M-SEARCH", "get", "Get", "GETS", "GE",
            "X", "!#$%&'*+-.^_`|~", "0", "QUERY",
        ])
        func `a method is any token, and its case counts`(method: String) throws {
            #expect(try whole("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n").method == method)
        }

        @Test(arguments: [
            "", "G(T", "G)T", "G,T", "G/T", "G:T", "G;T", "G<T", "G=T", "G>T", "G?T", "G@T", "G[T", "G\\T", "G]T",
            "G{T", "G}T", "G\"T", "G\0T", "G\tT", "G\u{7F}T", "GÉT", "\0",
        ])
        func `a text that is not a token is not a method`(method: String) {
            #expect(read("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n") == .invalid(.malformedRequestLine))
        }

        @Test(arguments: [
            " GET / HTTP/1.1", "GET  / HTTP/1.1", "GET /  HTTP/1.1", "GET / HTTP/1.1 ", "GET\t/ HTTP/1.1",
            "GET / / HTTP/1.1", "GET /a b HTTP/1.1", "GET", "GET ", "GET /", "GET / ", "GET HTTP/1.1", "/ HTTP/1.1",
            "GET  HTTP/1.1", "GET\u{0B}/ HTTP/1.1", "GET\u{0C}/\u{0C}HTTP/1.1",
        ])
        func `there is one space between the parts, and none elsewhere`(line: String) {
            #expect(read("\(line)\r\nHost: a\r\n\r\n") == .invalid(.malformedRequestLine))
        }

        @Test(arguments: ["GET /\tHTTP/1.1 HTTP/1.1", "GET /\u{0B} HTTP/1.1"])
        func `other white space is not a space`(line: String) {
            #expect(read("\(line)\r\nHost: a\r\n\r\n") == .invalid(.malformedTarget))
        }
    }

    @Suite("RFC 9112 §3: length of the request line") struct RequestLineLimitTests {
        private static let small = HeadLimits(requestLine: 32, fields: 64, fieldCount: 3)

        /// A request line of this many bytes without its CRLF.
        private static func line(_ length: Int) -> String {
            "GET /" + String(repeating: "a", count: length - 14) + " HTTP/1.1"
        }

        @Test(arguments: [20, 31, 32])
        func `a line within the limit is read, wherever it is cut`(length: Int) {
            let outcome = read("\(Self.line(length))\r\nHost: a\r\n\r\n", limits: Self.small)
            #expect(outcome.message?.target.utf8.count == length - 13)
        }

        @Test(arguments: [33, 34, 35, 100, 200])
        func `a longer line gets 414`(length: Int) {
            let outcome = read("\(Self.line(length))\r\nHost: a\r\n\r\n", limits: Self.small)
            #expect(outcome == .invalid(.requestLineTooLong))
            #expect(outcome.error?.status.code == 414)
        }

        @Test(arguments: [34, 35, 100])
        func `a method that leaves no room for anything else gets 501`(length: Int) {
            let method = String(repeating: "M", count: length)
            let outcome = read("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n", limits: Self.small)
            #expect(outcome == .invalid(.methodTooLong))
            #expect(outcome.error?.status.code == 501)
        }

        @Test func `a line that never ends is refused at the limit`() {
            let line = Array(Self.line(100).utf8)
            #expect(readInPieces(Array(line[..<33]), cuts: [], Self.small) == .partial)
            #expect(readInPieces(Array(line[..<34]), cuts: [], Self.small) == .invalid(.requestLineTooLong))
        }

        @Test(arguments: [(8 * 1024, true), (8 * 1024 + 1, false), (100 * 1024, false)])
        func `the default limit is 8 KiB`(length: Int, isRead: Bool) {
            let request = Array("\(Self.line(length))\r\nHost: a\r\n\r\n".utf8)
            for cuts in [[], [1], [length], [length + 1], [length + 2], [length + 3], [length, length + 1]] {
                let outcome = readInPieces(request, cuts: cuts)
                #expect(isRead ? outcome.message != nil : outcome == .invalid(.requestLineTooLong), "\(cuts)")
            }
        }
    }
}
