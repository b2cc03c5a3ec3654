import Testing

@testable import Roost

@Suite("RFC 9110 §12.5.3: Accept-Encoding", .timeLimit(.minutes(5)))
struct ContentCodingTests {
    @Test(
        arguments: [
            ("gzip", [.gzip]), ("br, gzip", [.brotli, .gzip]), ("gzip, deflate, br, zstd", [.brotli, .gzip]),
            ("GZIP", [.gzip]), ("*", [.brotli, .gzip]), ("*;q=0", []), ("gzip;q=0", []), ("gzip; q=0.000", []),
            ("gzip;q=0.001", [.gzip]), ("gzip;q=1", [.gzip]), ("br;q=0, *", [.gzip]), ("identity", []), ("", []),
            ("gzip;level=9", []), ("gzip;q=", []), ("xgzip, brr", []), ("gzip;q=0, gzip", []), (",,gzip,,", [.gzip]),
            ("gzip;q=0.0001", []), ("gzip;q=2", []),
        ] as [(String, [ContentCoding])])
    func `a coding is accepted if it is named with a weight above 0`(value: String, codings: [ContentCoding]) throws {
        let request = try Request(.get, "/", headers: [.acceptEncoding: value])
        #expect(request.acceptedCodings == codings)
    }

    @Test func `without the field, none is`() throws {
        #expect(try Request(.get, "/").acceptedCodings.isEmpty)
    }

    @Test func `several lines are one list`() throws {
        var headers: Headers = [.acceptEncoding: "br;q=0"]
        headers.append(.acceptEncoding, "gzip, br")
        #expect(try Request(.get, "/", headers: headers).acceptedCodings == [.gzip])
    }
}
