import HTTPTypes
import Testing

@testable import RoostTesting

/// The strict reading of a response, in the order of RFC 9112; no socket is involved.
@Suite(.timeLimit(.minutes(5))) struct ResponseReaderTests {
    @Test func `a response is the same whatever way it is split`() throws {
        let wire = """
            HTTP/1.1 201 Created\r\nLocation: /users/3\r\nSet-Cookie: a=1\r\nset-cookie:\t b=2 \t\r\n\
            Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\n 123456789\r\n0\r\nDigest: x\r\n\r\nHTTP/1.1 2
            """
        for size in 1...wire.utf8.count {
            var reader = reader(wire, chunkSize: size)
            let response = try reader.read()
            #expect(response.status == .created)
            #expect(response.status.reasonPhrase == "Created")
            #expect(response.headers[.location] == "/users/3")
            #expect(response.headers[values: .setCookie] == ["a=1", "b=2"])
            #expect(response.text == "hello 123456789")
            #expect(response.trailers.list.count == 1)
            #expect("HTTP/1.1 2".utf8.starts(with: reader.incoming.rest))
        }
    }

    @Test func `a malformed response is refused with its bytes`() throws {
        for (wire, problem) in Self.malformed {
            var reader = reader(wire + "\r\n\r\n", chunkSize: 4_096)
            let error = try #require(throws: WireClientError.self, "\(wire)") { try reader.read() }
            guard case .malformed(let said, let received) = error else {
                Issue.record("not malformed: \(error)")
                continue
            }
            #expect(said.contains(problem))
            #expect(received == Array((wire + "\r\n\r\n").utf8))
        }
    }

    private static let malformed = [
        ("HTTP/1.0 200 OK", "the status line does not begin HTTP/1.1"),
        ("HTTP/1.1  200 OK", "the status code is not three digits"),
        ("HTTP/1.1 +20 OK", "the status code is not three digits"),
        ("HTTP/1.1 600 Odd", "the status code is not three digits from 100 to 599"),
        ("HTTP/1.1 200", "not followed by a space and a reason phrase"),
        ("HTTP/1.1 2000 OK", "not followed by a space and a reason phrase"),
        ("HTTP/1.1 200 O\u{7}K", "not followed by a space and a reason phrase"),
        ("HTTP/1.1 200 OK\nA: b", "a line ends with LF alone"),
        ("HTTP/1.1 200 OK\r\nA : b", "'A : b' is not a token"),
        ("HTTP/1.1 200 OK\r\nA: b\r\n c", "' c' has no colon"),
        ("HTTP/1.1 200 OK\r\nA: b\r\n c: d", "' c: d' is not a token"),
        ("HTTP/1.1 200 OK\r\n: b", "': b' is not a token"),
        ("HTTP/1.1 200 OK\r\nA: b\rc", "has a control character"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1", "more than one Content-Length"),
        ("HTTP/1.1 200 OK\r\nContent-Length: +1", "the Content-Length '+1' is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1, 1", "the Content-Length '1, 1' is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999", "is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length:", "the Content-Length '' is not a number"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", "stands beside Transfer-Encoding"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked", "Transfer-Encoding is not 'chunked'"),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 0", "204 announces a body"),
        ("HTTP/1.1 100 Continue\r\nTransfer-Encoding: chunked", "100 announces a body"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1", "the chunk size '-1' is not hexadecimal"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b", "the chunk size '1;a=b' is not hexadecimal"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", "a chunk does not end with CRLF"),
    ]

    @Test func `a wait that is given up shows what came so far`() throws {
        var parts = ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n", "\r\n\"é"][...]
        let incoming = IncomingBytes { bytes in
            guard let part = parts.popFirst() else { throw SocketFailure.timedOut(after: .seconds(10)) }
            bytes += part.utf8
        }
        var reader = ResponseReader(incoming: incoming, method: .get)
        let error = #expect(throws: WireClientError.self) { try reader.read() }
        let received = #"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n\"\xc3\xa9"#
        #expect(
            "\(error, default: "none")" == """
                timed out after 10 s waiting for the body of the response (3 of 9 bytes); \
                received so far: "\(received)"
                """
        )
    }

    @Test(arguments: ["HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"])
    func `a response that breaks off is an error, not a short body`(wire: String) throws {
        var reader = reader(wire, chunkSize: 4_096)
        let error = try #require(throws: WireClientError.self) { try reader.read() }
        guard case .closed = error else {
            Issue.record("not closed: \(error)")
            return
        }
    }

    @Test(arguments: [HTTPRequest.Method.head, .get])
    func `a response without a body ends with its head`(method: HTTPRequest.Method) throws {
        let status = method == .head ? "200 OK" : "304 Not Modified"
        var reader = reader("HTTP/1.1 \(status)\r\nContent-Length: 9\r\n\r\nnext", chunkSize: 4_096, method)
        #expect(try reader.read().body.isEmpty)
        #expect(reader.incoming.rest == Array("next".utf8))
    }

    @Test func `a response without a length goes on to the end of the stream`() throws {
        var reader = reader("HTTP/1.1 200 \r\n\r\nto the end", chunkSize: 3)
        #expect(try reader.read().text == "to the end")
    }

    private func reader(_ wire: String, chunkSize: Int, _ method: HTTPRequest.Method = .get) -> ResponseReader {
        var rest = Array(wire.utf8)[...]
        let incoming = IncomingBytes { bytes in
            bytes += rest.prefix(chunkSize)
            rest = rest.dropFirst(chunkSize)
        }
        return ResponseReader(incoming: incoming, method: method)
    }
}
