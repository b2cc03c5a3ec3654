import HTTPTypes
import Testing

@testable import Roost

extension HTTP1Tests {
    @Suite("RFC 9112 §7.1: chunked transfer coding") struct ChunkedTests {
        @Test(arguments: [
            ("0\r\n\r\n", ""), ("00000\r\n\r\n", ""), ("1\r\na\r\n0\r\n\r\n", "a"),
            ("5\r\nhello\r\n0\r\n\r\n", "hello"),
            ("2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello"), ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
            ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"), ("0005\r\nhello\r\n0\r\n\r\n", "hello"),
            ("0000000000000005\r\nhello\r\n000\r\n\r\n", "hello"), ("5\r\n\r\n\r\n0\r\n0\r\n\r\n", "\r\n\r\n0"),
            ("10\r\n0123456789abcdef\r\n0\r\n\r\n", "0123456789abcdef"),
        ])
        func `chunks are joined`(body: String, content: String) throws {
            let message = try whole(chunked(body))
            #expect(message.text == content)
            #expect(message.end == chunked(body).utf8.count)
        }

        @Test(arguments: [
            "", " ", "x", "g", "-1", "+1", "0x1", "0X1", "1h", " 1", "\t1", "1 ", "1\t", "1_0", "1.0", "1,1", "\"1\"",
            "1 1",
            "10000000000000000", "00000000000000001", "8000000000000000", "FFFFFFFFFFFFFFFF", "fffffffffffffffff",
            "1\0", "\01", "１", "1\u{80}", "-0", "+0", "0x", "0x0", "%31",
        ])
        func `a size is hexadecimal digits that fit, and nothing else`(size: String) {
            #expect(read(chunked("\(size)\r\na\r\n0\r\n\r\n")) == .invalid(.malformedChunk))
        }

        @Test(arguments: [
            "\n", "\r", "\r\r\n", "1\na\r\n0\r\n\r\n", "1\ra\r\n0\r\n\r\n", "1\r\r\na\r\n0\r\n\r\n",
            "1\r\na\n0\r\n\r\n",
            "1\r\na\r0\r\n\r\n", "1\r\na0\r\n\r\n", "1\r\nab\r\n0\r\n\r\n", "2\r\na\r\n0\r\n\r\n",
            "1\r\na\r\n\r\n0\r\n\r\n",
            "1\r\na\r\n0\n\r\n", "1\r\na\r\n0\r\n\n", "1\r\na\r\n0\r\n\r\r", "0\n\n", "0\r\r\n", "1\r\na\r\nX",
            "1\r\na \r\n0\r\n\r\n", "1\r\na\n\r\n0\r\n\r\n", "1\r\na\r\n 0\r\n\r\n", "0;\n\r\n", "1;a\nb\r\n0\r\n\r\n",
        ])
        func `every line ends with CRLF, and so does a chunk`(body: String) {
            #expect(read(chunked(body)) == .invalid(.malformedChunk))
        }

        @Test(arguments: [
            "", "1", "1\r", "1\r\n", "1\r\na", "1\r\na\r", "1\r\na\r\n", "0", "0\r", "0\r\n", "0\r\n\r", "0\r\nA",
        ])
        func `a cut body is partial`(body: String) {
            #expect(read(chunked(body)) == .partial)
        }

        @Test func `the largest size is waited for and does not trap`() {
            #expect(read(chunked("7fffffffffffffff\r\nhello")) == .partial)
        }
    }

    @Suite("RFC 9112 §7.1.1: chunk extensions") struct ChunkExtensionTests {
        @Test(arguments: [
            ";a", ";a=b", ";a;b", ";a=b;c=d", ";a=\"b\"", ";a=\"\"", ";a=\"b;c=d\"", ";a=\"\\\"\"", ";a=\"\\\\\";b",
            "; a", ";\ta",
            "; a = b ; c", ";a=\"b c\té\"", ";!#$%&'*+-.^_`|~=1", ";a =b", ";a = \"b\";c",
        ])
        func `extensions are skipped, on any chunk`(text: String) throws {
            #expect(try whole(chunked("2\(text)\r\nhe\r\n3;x\r\nllo\r\n0\(text)\r\n\r\n")).text == "hello")
        }

        @Test(arguments: [
            ";", "; ", ";;", ";a;", ";=b", ";a=", ";a=;b", ";a==b", ";a=b c", ";a b", ";a=\"b", ";a=b\"c\"",
            ";a=\"b\"c", ";a,b",
            ";a=\"\\", ";(a)", ";a:b", ";a=b:c", ";\0", ";a\0", ";a=\"\0\"", ";a=\"\u{7F}\"", ";a=\"\\\u{01}\"", ";é",
            ";a=é", ";a/b",
            ";a=\"b\\\r\"", ";a\rb", ";a=\"b\nc\"", ";a=\n", ";a ", ";a=b ", ";a=\"b\" ",
        ])
        func `anything but an extension is refused`(text: String) {
            #expect(read(chunked("1\(text)\r\na\r\n0\r\n\r\n")) == .invalid(.malformedChunk))
            #expect(read(chunked("0\(text)\r\n\r\n")) == .invalid(.malformedChunk))
        }

        @Test func `an extension that never ends is refused at the bound`() {
            let bound = ChunkedDecoder.maximumOverhead
            let name = String(repeating: "a", count: bound - 1)
            #expect(readInPieces(Array(chunked("0;\(name)").utf8), cuts: []) == .partial)
            #expect(readInPieces(Array(chunked("0;\(name)a").utf8), cuts: []) == .invalid(.malformedChunk))
        }

        @Test func `many small extensions are bounded in sum`() {
            let count = ChunkedDecoder.maximumOverhead / 2
            let chunk = "1;a\r\nx\r\n"
            let within = chunked(String(repeating: chunk, count: count) + "0\r\n\r\n")
            let beyond = chunked(String(repeating: chunk, count: count + 1) + "0\r\n\r\n")
            #expect(readInPieces(Array(within.utf8), cuts: []).message?.body.count == count)
            #expect(readInPieces(Array(beyond.utf8), cuts: []) == .invalid(.malformedChunk))
        }
    }

    @Suite("RFC 9112 §7.1.2: chunked trailer section") struct TrailerTests {
        @Test(arguments: [
            "A: b\r\n", "A:\r\n", "A: b\r\nC: d\r\n", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n",
            "Host: b\r\n",
            "A: é\t \r\n", "A::\r\n", "!#$%&'*+-.^_`|~: b\r\n",
        ])
        func `trailers are skipped and dropped`(trailers: String) throws {
            let message = try whole(chunked("1\r\na\r\n0\r\n\(trailers)\r\n"))
            #expect(message.text == "a")
            #expect(message.fields.map(\.name.canonicalName) == ["host", "transfer-encoding"])
            #expect(message.end == chunked("1\r\na\r\n0\r\n\(trailers)\r\n").utf8.count)
        }

        @Test(arguments: [
            "A: b\n", "A: b\nC: d\r\n", "A: b\rC: d\r\n", "A: \0\r\n", "A: \u{7F}\r\n", " A: b\r\n", "A: b\r\n c\r\n",
            "A: b\r\n\tc\r\n",
            "A : b\r\n", ": b\r\n", "A\r\n", "A b\r\n", "A\0: b\r\n", "GET / HTTP/1.1\r\nHost: a\r\n", "A\n: b\r\n",
            "é: b\r\n", "(A): b\r\n",
            "0\r\n", "1\r\na\r\n0\r\n",
        ])
        func `anything but a field line is refused, including a swallowed request`(trailers: String) {
            #expect(read(chunked("1\r\na\r\n0\r\n\(trailers)\r\n")) == .invalid(.malformedChunk))
        }

        @Test func `trailers that never end are refused at the bound`() {
            let bound = ChunkedDecoder.maximumOverhead
            let line = "A: " + String(repeating: "b", count: bound)
            #expect(readInPieces(Array(chunked("0\r\n\(line)").utf8), cuts: []) == .invalid(.malformedChunk))
            let lines = String(repeating: "A: b\r\n", count: bound / 4 + 1)
            #expect(readInPieces(Array(chunked("0\r\n\(lines)").utf8), cuts: []) == .invalid(.malformedChunk))
        }
    }
}
