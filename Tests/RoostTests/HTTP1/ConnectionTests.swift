import HTTPTypes
import Testing

@testable import Roost

extension HTTP1Tests {
    @Suite("RFC 9112 §8: incomplete messages") struct IncompleteMessageTests {
        @Test(arguments: [
            "G", "GET", "GET / HTTP/1.1", "GET / HTTP/1.1\r", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost",
            "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r",
            "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r",
        ])
        func `a cut head is partial`(text: String) {
            #expect(read(text) == .partial)
        }

        @Test(arguments: ["", "h", "hell"])
        func `a cut body is partial`(body: String) {
            #expect(read(post("Content-Length: 5\r\n", body)) == .partial)
        }
    }

    @Suite("RFC 9112 §9.3: persistence") struct PersistenceTests {
        @Test(arguments: [
            ("", true), ("Connection: close\r\n", false), ("Connection: Close\r\n", false),
            ("CONNECTION:CLOSE\r\n", false),
            ("Connection: keep-alive\r\n", true), ("Connection: a, close, b\r\n", false),
            ("Connection: a,close\r\n", false),
            ("Connection: ,, close ,\r\n", false), ("Connection: keep-alive, close\r\n", false),
            ("Connection:\r\n", true),
            ("Connection: close, keep-alive\r\n", false), ("Connection: a\r\nConnection: close\r\n", false),
            ("Connection: close\r\nConnection: keep-alive\r\n", false), ("Connection: closed\r\n", true),
            ("Connection: \tclose\t\r\n", false), ("Connection: clos e\r\n", true), ("Connections: close\r\n", true),
            ("X: close\r\n", true), ("Connection: ,\r\n", true), ("Keep-Alive: timeout=5\r\n", true),
        ])
        func `HTTP/1.1 goes on unless told to close`(fields: String, persists: Bool) throws {
            #expect(try whole(post(fields)).persists == persists)
        }

        @Test(arguments: [
            ("", false), ("Connection: keep-alive\r\n", true), ("Connection: Keep-Alive\r\n", true),
            ("Connection: close\r\n", false), ("Connection: keep-alive, close\r\n", false),
            ("Connection: a\r\n", false),
            ("Connection: a, keep-alive\r\n", true), ("Keep-Alive: 5\r\n", false),
        ])
        func `HTTP/1.0 goes on only when asked to`(fields: String, persists: Bool) throws {
            #expect(try whole("GET / HTTP/1.0\r\n\(fields)\r\n").persists == persists)
        }
    }

    @Suite("RFC 9112 §9.3.2: pipelining") struct PipeliningTests {
        private static let requests = [
            get("/1"), post("Content-Length: 5\r\n", "hello"), chunked("5\r\nhello\r\n0\r\nA: b\r\n\r\n"),
            "\r\n" + get("/a/../2"),
            post("Content-Length: 20\r\n", "GET / HTTP/1.1\r\n\r\n\r\n"),
            "HEAD /3 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        ]

        /// All messages of bytes that come in two pieces, and what comes after them.
        private static func messages(_ bytes: [UInt8], cut: Int) -> ([Message], Outcome) {
            var wire = Wire(capacity: bytes.count)
            var messages: [Message] = []
            var outcome = wire.receive(bytes[..<cut])
            var hasMore = true
            while true {
                if let message = outcome.message {
                    messages.append(message)
                    outcome = wire.next()
                } else if outcome == .partial, hasMore {
                    hasMore = false
                    outcome = wire.receive(bytes[cut...])
                } else {
                    return (messages, outcome)
                }
            }
        }

        @Test func `the bytes after a body are the next request`() throws {
            let bytes = Array(Self.requests.joined().utf8)
            let alone = try Self.requests.map { try whole($0) }
            for cut in bytes.indices {
                let (messages, rest) = Self.messages(bytes, cut: cut)
                #expect(messages.map(\.text) == alone.map(\.text), "cut at \(cut)")
                #expect(messages.map(\.path) == alone.map(\.path), "cut at \(cut)")
                #expect(messages.map(\.fields) == alone.map(\.fields), "cut at \(cut)")
                #expect(rest == .partial)
            }
        }

        @Test(
            arguments: [
                ("hello", .malformedRequestLine), ("\0", .malformedRequestLine),
                ("\n" + get("/"), .malformedRequestLine),
                ("GET / HTTP/2.0\r\n\r\n", .unsupportedVersion), ("GET / HTTP/1.1\r\n\r\n", .missingHost),
            ] as [(String, ParseError)]
        )
        func `requests before a bad one are still complete`(bad: String, error: ParseError) {
            let bytes = Array((Self.requests.joined() + bad + "\r\n\r\n").utf8)
            for cut in bytes.indices {
                let (messages, rest) = Self.messages(bytes, cut: cut)
                #expect(messages.count == Self.requests.count, "cut at \(cut)")
                #expect(rest == .invalid(error), "cut at \(cut)")
            }
        }

        @Test func `a body that is too short takes the next request's bytes, and no more`() throws {
            let message = try whole(post("Content-Length: 3\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
            #expect(message.text == "GET")
        }
    }

    @Suite("RFC 9110 §10.1.1: Expect") struct ExpectTests {
        @Test(arguments: ["100-continue", "100-Continue", "100-CONTINUE", " \t100-continue "])
        func `a client may wait before it sends the body`(expectation: String) throws {
            #expect(try whole(post("Expect: \(expectation)\r\nContent-Length: 1\r\n", "a")).expectsContinue)
        }

        @Test(arguments: ["", "100", "100-continue, x", "100-continue; x", "x", "200-ok", "100-continue,100-continue"])
        func `another expectation gets 417`(expectation: String) {
            let outcome = read(post("Expect: \(expectation)\r\n"))
            #expect(outcome == .invalid(.unsupportedExpectation))
            #expect(outcome.error?.status.code == 417)
        }

        @Test func `without the field, and in HTTP/1.0, nobody waits`() throws {
            #expect(try !whole(post("Content-Length: 1\r\n", "a")).expectsContinue)
            let old = "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na"
            #expect(try !whole(old).expectsContinue)
        }
    }
}
