import HTTPTypes
import Testing

@testable import Roost

extension HTTP1Tests {
    fileprivate static let date = Array("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n".utf8)
    fileprivate static let dateLine = "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n"

    fileprivate static func head(
        _ response: Response,
        _ framing: ResponseSerializer.Framing = .length(0),
        _ option: ResponseSerializer.ConnectionOption = .none
    ) throws -> String {
        let output = ByteBuffer()
        try ResponseSerializer.write(response, framing, option, date: date, to: output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Suite("RFC 9112 §4: status line") struct StatusLineTests {
        @Test(
            arguments: [
                (.ok, "HTTP/1.1 200 OK"), (.notFound, "HTTP/1.1 404 Not Found"), (.created, "HTTP/1.1 201 Created"),
                (.init(code: 299), "HTTP/1.1 299 "), (.init(code: 999, reasonPhrase: "Odd"), "HTTP/1.1 999 Odd"),
                (.init(code: 7), "HTTP/1.1 007 "), (.init(code: 42), "HTTP/1.1 042 "),
                (.init(code: 0), "HTTP/1.1 000 "),
            ] as [(HTTPResponse.Status, String)]
        )
        func `a status line has three digits and a space even without a reason`(
            status: HTTPResponse.Status,
            line: String
        ) throws {
            #expect(try head(Response(status)) == "\(line)\r\n\(dateLine)Content-Length: 0\r\n\r\n")
        }

        @Test func `a reason phrase cannot break the line`() throws {
            let status = HTTPResponse.Status(code: 400, reasonPhrase: "a\r\nX: b\nY: c\0")
            let text = try head(Response(status))
            #expect(text.hasPrefix("HTTP/1.1 400 a"))
            #expect(text.split(separator: "\r\n").count == 3)
            #expect(!text.contains("\nY") && !text.contains("\0"))
        }

        @Test func `a head without the application's fields has the same shape`() {
            let output = ByteBuffer()
            ResponseSerializer.writePlainHead(.notFound, .none, .close, date: date, to: output)
            let text = String(decoding: output.bytes, as: UTF8.self)
            #expect(text == "HTTP/1.1 404 Not Found\r\n\(dateLine)Connection: close\r\n\r\n")
        }

        @Test func `a refusal is a problem detail that closes the connection`() {
            let output = ByteBuffer()
            ResponseSerializer.writeRefusal(.badRequest, length: 3, date: date, to: output)
            let fields =
                "Content-Type: application/problem+json\r\n\(dateLine)Content-Length: 3\r\nConnection: close\r\n"
            #expect(String(decoding: output.bytes, as: UTF8.self) == "HTTP/1.1 400 Bad Request\r\n\(fields)\r\n")
        }
    }

    @Suite("RFC 9112 §5: fields of a response") struct ResponseFieldTests {
        @Test func `fields are written in order, several of a name on lines of their own`() throws {
            var headers: Headers = [.contentType: "text/plain", .location: "/é"]
            headers.append(.setCookie, "a=b")
            headers.append(.setCookie, "c=d")
            let lines = "Content-Type: text/plain\r\nLocation: /é\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\n"
            let text = try head(Response(.ok, headers: headers))
            #expect(text == "HTTP/1.1 200 OK\r\n\(lines)\(dateLine)Content-Length: 0\r\n\r\n")
        }

        @Test(arguments: [
            "a\r\nX: b", "a\nb", "a\rb", "\r\n", "\n", "\r", "a\0b", "\u{01}", "\u{1F}", "\u{7F}", "a\u{0B}",
            "a\r\n\r\n<html>",
        ])
        func `a value with a control character is refused and leaves nothing in the output`(value: String) {
            let output = ByteBuffer()
            output.append("before")
            let response = Response(.ok, headers: [.accept: "a", .location: value, .server: "c"])
            let error = #expect(throws: ResponseHeaderError.self) {
                try ResponseSerializer.write(response, .length(0), .none, date: date, to: output)
            }
            #expect(error?.name == "Location")
            #expect(output.bytes == Array("before".utf8))
        }

        @Test func `the fields of a request can be those of a response`() throws {
            let bytes = MessageBytes(copying: Array(post("X: b\r\nConnection: close\r\n").utf8)[...])
            let headers = Headers(received: ReceivedFields(bytes: bytes, range: ByteRange(17, bytes.count - 2)))
            let text = try head(Response(.ok, headers: headers))
            #expect(text == "HTTP/1.1 200 OK\r\nHost: a\r\nX: b\r\n\(dateLine)Content-Length: 0\r\n\r\n")
        }

        @Test(arguments: ["", " a ", "a\tb", "é", "\u{1F600}", "\u{2028}", "\u{85}", "\u{010A}\u{010D}"])
        func `any other value is written as it is`(value: String) throws {
            #expect(try head(Response(headers: [.location: value])).contains("Location: \(value)\r\n"))
        }
    }

    @Suite("RFC 9112 §6: framing of a response") struct ResponseFramingTests {
        @Test(arguments: [
            "Content-Length", "content-length", "TRANSFER-ENCODING", "Connection", "connection", "Date", "dATE",
        ])
        func `fields that the application set under a framing name are left out`(name: String) throws {
            let name = try #require(HTTPField.Name(name))
            #expect(try head(Response(headers: [name: "1"])) == (try head(Response())))
            #expect(try head(Response(headers: [name: "1\r\n"])) == (try head(Response())))
        }

        @Test(
            arguments: [
                (.none, ""), (.close, ""), (.length(0), "Content-Length: 0\r\n"),
                (.chunked, "Transfer-Encoding: chunked\r\n"),
                (.length(.max), "Content-Length: 9223372036854775807\r\n"), (.length(1234), "Content-Length: 1234\r\n"),
            ] as [(ResponseSerializer.Framing, String)]
        )
        func `one framing, one field`(framing: ResponseSerializer.Framing, line: String) throws {
            #expect(try head(Response(), framing) == "HTTP/1.1 200 OK\r\n\(dateLine)\(line)\r\n")
        }

        @Test(
            arguments: [
                (.none, ""), (.keepAlive, "Connection: keep-alive\r\n"), (.close, "Connection: close\r\n"),
            ] as [(ResponseSerializer.ConnectionOption, String)]
        )
        func `one option, one field`(option: ResponseSerializer.ConnectionOption, line: String) throws {
            #expect(try head(Response(), .none, option) == "HTTP/1.1 200 OK\r\n\(dateLine)\(line)\r\n")
        }
    }

    @Suite("RFC 9112 §6.3 and RFC 9110 §6.4.1: body of a response") struct ResponseBodyTests {
        private static let stream = Body(stream: AsyncThrowingStream<[UInt8], any Error> { $0.finish() })

        @Test(arguments: [100, 101, 103, 199, 204, 304])
        func `these statuses have neither body nor length`(code: Int) {
            for body in [Body(), Body("a"), Self.stream] {
                let response = Response(.init(code: code), body: body)
                #expect(ResponseSerializer.Framing(of: response, isHTTP10: false) == .none)
                #expect(ResponseSerializer.Framing(of: response, isHTTP10: true) == .none)
                #expect(!ResponseSerializer.sendsBody(response.status, toHead: false))
            }
        }

        @Test func `Reset Content has the length zero`() {
            let response = Response(.init(code: 205), body: Body("a"))
            #expect(ResponseSerializer.Framing(of: response, isHTTP10: false) == .length(0))
            #expect(!ResponseSerializer.sendsBody(response.status, toHead: false))
        }

        @Test(arguments: [200, 201, 206, 303, 400, 404, 500, 599, 999])
        func `all others have one, but not in response to HEAD`(code: Int) {
            let status = HTTPResponse.Status(code: code)
            for method in [HTTPRequest.Method.get, .post, .put, .delete, .options] {
                #expect(ResponseSerializer.sendsBody(status, toHead: method == .head))
            }
            #expect(!ResponseSerializer.sendsBody(status, toHead: true))
        }

        @Test func `a known length is told, an unknown one is sent in chunks, or ends with an HTTP/1.0 connection`() {
            let known = Response(body: Body("abc"))
            #expect(ResponseSerializer.Framing(of: known, isHTTP10: false) == .length(3))
            #expect(ResponseSerializer.Framing(of: known, isHTTP10: true) == .length(3))
            #expect(ResponseSerializer.Framing(of: Response(), isHTTP10: false) == .length(0))
            let unknown = Response(body: Self.stream)
            #expect(ResponseSerializer.Framing(of: unknown, isHTTP10: false) == .chunked)
            #expect(ResponseSerializer.Framing(of: unknown, isHTTP10: true) == .close)
        }
    }

    @Suite("RFC 9112 §7.1: chunks of a response") struct ChunkWritingTests {
        @Test(arguments: [0, 1, 9, 10, 15, 16, 255, 256, 4096, 70_000])
        func `what is written in chunks is read as the same content`(size: Int) {
            let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            let output = ByteBuffer()
            ResponseSerializer.writePiece(content, .chunked, to: output)
            ResponseSerializer.writePiece([], .chunked, to: output)
            ResponseSerializer.writePiece(Array("end".utf8), .chunked, to: output)
            ResponseSerializer.writeBodyEnd(.chunked, to: output)
            let request = Array(chunked("").utf8) + output.bytes
            let message = readInPieces(request, cuts: []).message
            #expect(message?.body == content + Array("end".utf8))
            #expect(message?.end == request.count)
        }
    }
}
