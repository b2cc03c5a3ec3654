import HTTPTypes
import Testing

@testable import Roost

extension HTTP1Tests {
    @Suite("RFC 9112 §2.2: message parsing") struct MessageFormatTests {
        @Test(arguments: ["", "\r\n", "\r\n\r\n\r\n"])
        func `empty lines ahead of a request are skipped`(lines: String) throws {
            #expect(try whole(lines + get("/")).target == "/")
        }

        @Test(
            arguments: [
                ("GET / HTTP/1.1\nHost: a\r\n\r\n", .lineEndWithoutCarriageReturn),
                ("GET / HTTP/1.1\r\nHost: a\n\r\n", .lineEndWithoutCarriageReturn),
                ("GET / HTTP/1.1\r\nHost: a\r\n\n", .lineEndWithoutCarriageReturn),
                ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", .lineEndWithoutCarriageReturn),
                ("GET / HTTP/1.1\nHost: a\n\n", .lineEndWithoutCarriageReturn),
                ("GET / HTTP/1.1\n\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .lineEndWithoutCarriageReturn),
                ("GET / HTTP/1.1\r\nHost: a\r\nX\n: b\r\n\r\n", .lineEndWithoutCarriageReturn),
                ("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
                ("\r\n\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
            ] as [(String, ParseError)]
        )
        func `a bare line feed does not end a line`(text: String, error: ParseError) {
            #expect(read(text) == .invalid(error))
        }

        @Test(
            arguments: [
                ("\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
                ("G\rET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedRequestLine),
                ("GET /\r HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
                ("GET /?\r HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget),
                ("GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", .malformedRequestLine),
                ("GET / HTTP/1.1\rHost: a\r\n\r\n", .malformedRequestLine),
                ("GET / HTTP/1.1\r\nHo\rst: a\r\n\r\n", .malformedFieldLine),
                ("GET / HTTP/1.1\r\nHost\r: a\r\n\r\n", .malformedFieldLine),
                ("GET / HTTP/1.1\r\nHost:\r a\r\n\r\n", .malformedFieldLine),
                ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", .malformedFieldLine),
                ("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", .malformedFieldLine),
                ("GET / HTTP/1.1\r\n\rHost: a\r\n\r\n", .malformedFieldLine),
            ] as [(String, ParseError)]
        )
        func `a bare carriage return is refused wherever it stands`(text: String, error: ParseError) {
            #expect(read(text) == .invalid(error))
        }

        @Test(arguments: [" Host: a\r\n", "\tHost: a\r\n", " \r\nHost: a\r\n", " X: b\r\nHost: a\r\n"])
        func `a blank ahead of the first field line is refused`(fields: String) {
            #expect(read("GET / HTTP/1.1\r\n\(fields)\r\n") == .invalid(.malformedFieldLine))
        }

        @Test(
            arguments: [
                [0x16, 0x03, 0x01, 0x02, 0x00],  // a TLS client hello
                [0x05, 0x01, 0x00],  // SOCKS 5
                [0x00], [0x80], [0xFF], [0x20], [0x09], [0x0A], [0x0D, 0x41], [0x0D, 0x0D],
            ] as [[UInt8]]
        )
        func `bytes that cannot begin a request are refused at once`(bytes: [UInt8]) {
            #expect(read(bytes) == .invalid(.malformedRequestLine))
        }

        @Test(
            arguments: [
                ("GET /\r\n", .malformedRequestLine),
                ("GET / HTTP/2.0\r\n", .unsupportedVersion),
                ("hello\r\n", .malformedRequestLine),
                ("GET / HTTP/1.1\r\n folded\r\n", .malformedFieldLine),
                ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n", .missingHost),
                ("GET / HTTP/1.1\r\nContent-Length: x\r\n", .malformedContentLength),
            ] as [(String, ParseError)]
        )
        func `a line that spoils the head is refused as soon as it arrives`(
            text: String,
            error: ParseError
        ) {
            #expect(read(text) == .invalid(error))
        }

        @Test func `nothing is partial`() {
            #expect(read("") == .partial)
            #expect(read("\r\n") == .partial)
            #expect(read("\r") == .partial)
        }
    }
}
