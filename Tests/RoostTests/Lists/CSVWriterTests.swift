import FoundationEssentials
import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// RFC 4180, and what spreadsheets make of it.
@Suite("CSV out", .timeLimit(.minutes(1)))
struct CSVWriterTests {
    private struct Room: Encodable, Sendable {
        var name: String
        var seats: Int? = nil
        var price = -1.5
        var open = true
        var since = Date(timeIntervalSince1970: 0)
    }

    private static func text(_ response: Response) async throws -> String {
        String(decoding: try await response.body.collect(upTo: 1 << 20).bytes, as: UTF8.self)
    }

    @Test func `a row is a line, and its names are the heads`() async throws {
        let response = try Response.csv([Room(name: "Oak"), Room(name: "Elm", seats: 4)], fileName: "rooms.csv")
        #expect(
            try await Self.text(response) == """
                name,seats,price,open,since\r
                Oak,,-1.5,true,1970-01-01T00:00:00Z\r
                Elm,4,-1.5,true,1970-01-01T00:00:00Z\r\n
                """)
        #expect(response.headers[.contentType] == "text/csv; charset=utf-8; header=present")
        #expect(response.headers[.contentDisposition] == "attachment; filename=\"rooms.csv\"")
    }

    @Test(arguments: [
        ("a", "a"), ("a,b", "\"a,b\""), ("a;b", "\"a;b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\tx", "\"'\tx\""), ("\rx", "\"'\rx\""),
        ("=a,b", "\"'=a,b\""), ("", ""),
        ("x;=1;", "\"x;'=1;\""), ("x\n@y", "\"x\n'@y\""), ("\n=1", "\"'\n'=1\""), ("a=1,-2", "\"a=1,-2\""),
        ("ü=", "ü="), (" =1", " =1"), ("\0=1", "'\0=1"), ("x\0", "x\0"),
        ("\u{FF1D}1+1", "'\u{FF1D}1+1"), ("\u{FF0B}1", "'\u{FF0B}1"), ("\u{FF0D}1", "'\u{FF0D}1"),
        ("x;\0=1", "\"x;'\0=1\""), ("x;\u{FF20}y", "\"x;'\u{FF20}y\""), ("\u{FF1E}1\u{FF1D}", "\u{FF1E}1\u{FF1D}"),
    ])
    func `a text is quoted, and no formula`(text: String, cell: String) throws {
        var (writer, bytes) = (CSVWriter(columns: nil), [UInt8]())
        try writer.append([text, "x"], to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == cell + ",x\r\n")
    }

    @Test(arguments: [1.0, -0.0, 0.1, -2.5, 5e15, 1e16, 1e21, 1e-7])
    func `a number is written as on a page`(number: Double) throws {
        var (writer, bytes) = (CSVWriter(columns: nil), [UInt8]())
        try writer.append([number, 2], to: &bytes)
        let page = try Templates(sources: ["number": "{{value}},2\r\n"]).render("number", ["value": number])
        #expect(bytes == page)
    }

    @Test func `columns are chosen, and are there without rows`() async throws {
        let rooms = [Room(name: "Oak", seats: 2)]
        let columns = ["seats", "name", "=gone"]
        #expect(
            try await Self.text(.csv(rooms, fileName: "a", columns: columns)) == "seats,name,'=gone\r\n2,Oak,\r\n")
        #expect(try await Self.text(.csv([Room](), fileName: "a", columns: columns)) == "seats,name,'=gone\r\n")
        #expect(try await Self.text(.csv([Room](), fileName: "a")).isEmpty)
    }

    @Test(arguments: [(CSVSeparator.comma, ","), (.semicolon, ";"), (.tab, "\t")])
    func `another separator and a byte order mark are as spreadsheets want them`(
        separator: CSVSeparator, sign: String
    ) async throws {
        let rows = [["a": "x,y;z"]], columns = ["a", "b"]
        let whole = try Response.csv(
            rows, fileName: "a", columns: columns, separator: separator, byteOrderMark: true)
        let expected = "\u{FEFF}a\(sign)b\r\n\"x,y;z\"\(sign)\r\n"
        #expect(try await whole.body.collect(upTo: 1000).bytes == Array(expected.utf8))
        let stream = AsyncStream<[String: String]> { continuation in
            for row in rows { continuation.yield(row) }
            continuation.finish()
        }
        let sent = Response.csv(stream, fileName: "a", columns: columns, separator: separator, byteOrderMark: true)
        #expect(try await sent.body.collect(upTo: 1000).bytes == Array(expected.utf8))
        let formula = try Response.csv([["x,=1;-2", "y"]], fileName: "a", separator: separator)
        let marked = separator == .comma ? "x,=1;'-2" : "x,'=1;'-2"
        #expect(try await Self.text(formula) == "\"\(marked)\"\(sign)y\r\n")
        let lists = try Response.csv([["x"], ["y"]], fileName: "a", byteOrderMark: true)
        #expect(try await lists.body.collect(upTo: 1000).bytes == Array("\u{FEFF}x\r\ny\r\n".utf8))
    }

    @Test func `an empty cell alone is a row`() throws {
        var (writer, bytes) = (CSVWriter(columns: nil), [UInt8]())
        for row in [["a"], [""], ["b"]] { try writer.append(row, to: &bytes) }
        #expect(String(decoding: bytes, as: UTF8.self) == "a\r\n\"\"\r\nb\r\n")
    }

    @Test func `a cell is one value`() {
        #expect(throws: EncodingError.self) { try Response.csv([["a": ["b"]]], fileName: "a") }
        #expect(throws: EncodingError.self) { try Response.csv([1], fileName: "a") }
    }

    @Test func `rows are written as they come, in pieces`() async throws {
        let rooms = AsyncStream<Room> { continuation in
            for number in 0..<5_000 { continuation.yield(Room(name: "Room \(number)", seats: number)) }
            continuation.finish()
        }
        var (count, text) = (0, "")
        for try await piece in Response.csv(rooms, fileName: "rooms.csv").body {
            count += 1
            #expect(piece.count < 17 << 10)
            text += String(decoding: piece, as: UTF8.self)
        }
        #expect(count > 10)
        #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == 5_001)
        #expect(text.hasSuffix("Room 4999,4999,-1.5,true,1970-01-01T00:00:00Z\r\n"))
    }

    @Test func `an error in the first rows has its own status`() async throws {
        let client = try TestClient(middleware: [ErrorPages(logger: LogLines().logger)]) { routes in
            routes.get(Path("/rooms.csv")) { _ -> Response in
                let rooms = AsyncThrowingStream<Room, any Error> { continuation in
                    continuation.yield(Room(name: "Oak"))
                    continuation.finish(throwing: HTTPError(.serviceUnavailable))
                }
                return .csv(rooms, fileName: "rooms.csv")
            }
        }
        #expect(try await client.get("/rooms.csv").status == .serviceUnavailable)
    }

    /// Rooms that can be read again.
    private struct Rooms: AsyncSequence, Sendable {
        struct AsyncIterator: AsyncIteratorProtocol {
            private var rest = 3

            mutating func next() async -> Room? {
                guard rest > 0 else { return nil }
                rest -= 1
                return Room(name: "Room \(rest)")
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }

    @Test func `whoever reads again a stream that has begun gets all of it, too`() async throws {
        let response = Response.csv(Rooms(), fileName: "rooms.csv")
        let begun = Response(.ok, "text/csv", try await response.body.begun())
        let text = try await Self.text(response)
        #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == 4)
        for _ in 0..<2 { #expect(try await Self.text(begun) == text) }
    }

    @Test(arguments: [0, 1, 5_000])
    func `the rows that are read before the response is sent are in it once`(count: Int) async throws {
        let client = try TestClient(middleware: []) { routes in
            routes.get(Path("/rooms.csv")) { _ -> Response in
                let rooms = AsyncStream<Room> { continuation in
                    for number in 0..<count { continuation.yield(Room(name: "Room \(number)")) }
                    continuation.finish()
                }
                return .csv(rooms, fileName: "rooms.csv")
            }
        }
        let response = try await client.get("/rooms.csv")
        let lines = response.text.split(separator: "\r\n")
        #expect(response.status == .ok && lines.count == (count == 0 ? 0 : count + 1))
        for (number, line) in lines.dropFirst().enumerated() {
            #expect(line.utf8.starts(with: "Room \(number),".utf8))
        }
    }

    @Test(arguments: [
        ("a.csv", "attachment; filename=\"a.csv\""),
        ("Übersicht 1.csv", "attachment; filename=\"_bersicht 1.csv\"; filename*=UTF-8''%C3%9Cbersicht%201.csv"),
        ("a\"b%41.csv", "attachment; filename=\"a_b_41.csv\"; filename*=UTF-8''a%22b%2541.csv"),
        ("../a\\b\r\nX: y", "attachment; filename=\".._a_b__X: y\""),
        ("", "attachment; filename=\"\""),
    ])
    func `a file may have any name`(name: String, field: String) {
        #expect(Response().attachment(name).headers[.contentDisposition] == field)
    }

    @Test func `a long name is cut between characters`() {
        let field = ContentDisposition.attachment(String(repeating: "é", count: 300))
        #expect(field.hasSuffix("''" + String(repeating: "%C3%A9", count: 127)))
        let file = ContentDisposition.attachment(String(repeating: "é", count: 300) + ".pdf")
        #expect(file.hasSuffix("''" + String(repeating: "%C3%A9", count: 125) + ".pdf"))
        // However long it is, it is cut in one pass.
        let huge = ContentDisposition.attachment(String(repeating: "é", count: 2_000_000) + ".pdf")
        #expect(huge == file)
        let words = ContentDisposition.attachment(String(repeating: "é", count: 120) + ". And more than a suffix")
        #expect(words.hasSuffix(".%20And%20more%20than"))
    }
}
