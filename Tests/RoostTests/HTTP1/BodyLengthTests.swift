import HTTPTypes
import Testing

@testable import Roost

extension HTTP1Tests {
    @Suite("RFC 9112 §6.1: Transfer-Encoding") struct TransferEncodingTests {
        private static let last = "0\r\n\r\n"

        @Test(arguments: ["chunked", "Chunked", "CHUNKED", "\tchunked\t", "chunked   "])
        func `chunked is read in any case`(coding: String) throws {
            #expect(try whole(post("Transfer-Encoding: \(coding)\r\n", "1\r\na\r\n" + Self.last)).text == "a")
            #expect(try whole(post("tRANSFER-eNCODING:\(coding)\r\n", Self.last)).text == "")
        }

        @Test(arguments: ["gzip, chunked", "gzip,chunked", "x ,\tChunked", "identity, chunked", "a;b=\"c\", chunked"])
        func `another coding below chunked gets 501`(codings: String) {
            let outcome = read(post("Transfer-Encoding: \(codings)\r\n", Self.last))
            #expect(outcome == .invalid(.unsupportedTransferCoding))
            #expect(outcome.error?.status.code == 501)
        }

        /// "If a Transfer-Encoding header field is present in a request and the chunked transfer coding is not the
        /// final encoding, the message body length cannot be determined reliably; the server MUST respond with the 400"
        /// (§6.3)
        @Test(arguments: [
            "", ",", "identity", "gzip", "xchunked", "chunkedx", "chunked;a=b", "chunked,", ",chunked", ", chunked",
            "chunked, gzip", "chunked, identity", "chunked, chunked", "chunked,chunked", "gzip, chunked, chunked",
            "chunked, gzip, chunked", "chunked;", "\"chunked\"", "'chunked'", "chunked chunked", "chunked\u{80}",
            "\u{A0}chunked", "gzip chunked", "gzip;chunked", "chu nked",
        ])
        func `chunked that is not last, not alone at its end, or twice, gets 400`(codings: String) {
            let outcome = read(post("Transfer-Encoding: \(codings)\r\n", Self.last))
            #expect(outcome == .invalid(.conflictingFraming))
            #expect(outcome.error?.status.code == 400)
        }

        @Test(arguments: [
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
            "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding:\r\n",
            "Transfer-Encoding: chunked\r\nX: a\r\ntransfer-encoding: chunked\r\n",
        ])
        func `a second line is refused`(fields: String) {
            #expect(read(post(fields, Self.last)) == .invalid(.conflictingFraming))
        }

        @Test(arguments: [
            "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n",
        ])
        func `together with Content-Length it is refused`(fields: String) {
            #expect(read(post(fields, Self.last)) == .invalid(.conflictingFraming))
        }

        @Test func `in HTTP/1.0 it is refused`() {
            let fields = "Host: a\r\nTransfer-Encoding: chunked\r\n"
            #expect(read("POST / HTTP/1.0\r\n\(fields)\r\n\(Self.last)") == .invalid(.conflictingFraming))
        }

        @Test(arguments: [
            "Transfer_Encoding: chunked", "transfer_encoding: x", "TRANSFER_ENCODING: chunked", "Content_Length: 5",
            "content_length:", "CONTENT_LENGTH: 0",
        ])
        func `a framing name with an underscore is refused`(line: String) {
            #expect(read(post("\(line)\r\n", Self.last)) == .invalid(.conflictingFraming))
        }

        @Test(arguments: [
            "Transfer-Encoding : chunked", "Transfer-Encoding\t: chunked", " Transfer-Encoding: chunked",
            "Transfer-Encoding: \u{0B}chunked", "Transfer-Encoding: chunked\0", "Transfer-Encoding\0: chunked",
            "Transfer-Encoding: chunked\r\n ", "Transfer Encoding: chunked", "Transfer-Encoding chunked",
            "Content-Length : 5", "Content-Length\u{0C}: 5", "Content-Length: 5\r\n 5", "Content-Length: 5\r",
        ])
        func `an odd spelling of the line is refused as in any field`(line: String) {
            #expect(read(post("\(line)\r\n", Self.last)) == .invalid(.malformedFieldLine))
        }
    }

    @Suite("RFC 9112 §6.2: Content-Length") struct ContentLengthTests {
        @Test(arguments: [("0", ""), ("1", "a"), ("5", "hello"), ("05", "hello"), ("0000000000000000000005", "hello")])
        func `a decimal number is the length of the body`(length: String, body: String) throws {
            let message = try whole(post("Content-Length: \(length)\r\n", body))
            #expect(message.text == body)
            #expect(message.end == post("Content-Length: \(length)\r\n", body).utf8.count)
        }

        @Test(arguments: [
            "", " ", "-", "+", "-1", "+5", "-0", "5 5", "5,5", "5, 5", "5, 6", "5;", "5.0", "5e0", "0x5", "0X5", "5h",
            "x",
            "1_000", "٥", "５", "\"5\"", "5\u{A0}", "9223372036854775808", "18446744073709551616",
            "18446744073709551621",
            "99999999999999999999", "100000000000000000000000000000000000000000000000000000000000000000000000000005",
            "1 0", "0b1", "0o5", "5,", ",5", "5\t5", "NaN", "inf", "5/", "/5", "5:", ":5", ":",
        ])
        func `anything else is refused`(length: String) {
            #expect(read(post("Content-Length: \(length)\r\n", "hello")) == .invalid(.malformedContentLength))
        }

        @Test(arguments: [
            "Content-Length: 5\r\nContent-Length: 5\r\n", "Content-Length: 5\r\ncontent-length: 6\r\n",
            "Content-Length: 0\r\nContent-Length: 0\r\n", "Content-Length: 5\r\nX: a\r\nContent-Length:\r\n",
        ])
        func `a second line is refused, even with the same number`(fields: String) {
            #expect(read(post(fields, "hello")) == .invalid(.malformedContentLength))
        }

        @Test(arguments: ["9223372036854775807", "109951162777600"])
        func `a huge number is a length like any other`(length: String) {
            #expect(readInPieces(Array(post("Content-Length: \(length)\r\n", "hello").utf8), cuts: []) == .partial)
        }
    }

    @Suite("RFC 9112 §6.3: message body length") struct BodyLengthTests {
        @Test(arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "X"])
        func `a request without framing fields has no body, whatever its method`(method: String) throws {
            #expect(try whole("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n").body.isEmpty)
        }

        @Test(arguments: ["GET", "HEAD", "DELETE", "OPTIONS", "X"])
        func `a request of any method may have one`(method: String) throws {
            let head = "\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"
            #expect(try whole(head + "a\0\n").body == [0x61, 0, 0x0A])
        }

        @Test func `HTTP/1.0 has a length or no body`() throws {
            #expect(try whole("POST / HTTP/1.0\r\n\r\n").body.isEmpty)
            #expect(try whole("POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nab").text == "ab")
        }
    }
}
