import HTTPTypes
import Testing

@testable import Roost

extension HTTP1Tests {
    @Suite("RFC 9112 §5: field syntax") struct FieldTests {
        @Test(arguments: [
            ("X: a", "a"), ("X:a", "a"), ("X: \t a \t ", "a"), ("X:", ""), ("X: ", ""), ("X: \t", ""),
            ("X: a b", "a b"),
            ("X: a\tb", "a\tb"), ("X: a:b", "a:b"), ("X: \"a\\\"b\"", "\"a\\\"b\""), ("X: é", "é"), ("x: a", "a"),
            ("X: ~!@#$%^&*()_+{}|<>?,./;'[]=-`", "~!@#$%^&*()_+{}|<>?,./;'[]=-`"),
            ("X: 0123456789abcdef\t0123456789abcdef é", "0123456789abcdef\t0123456789abcdef é"),
        ])
        func `a value is the text between the blanks`(line: String, value: String) throws {
            let message = try whole(post("\(line)\r\n"))
            #expect(message.fields.map(\.name.canonicalName) == ["host", "x"])
            #expect(message.fields.last?.value == value)
        }

        @Test(arguments: ["X_Y", "X-Y", "!#$%&'*+-.^_`|~", "0", "a"])
        func `a name is any token`(name: String) throws {
            #expect(try whole(post("\(name): b\r\n")).fields.last?.name.rawName == name)
        }

        @Test func `a field is found by its name, however long that is, also after it has moved`() throws {
            let counts = [1, 2, 62, 63, 64, 65, 200]
            let lines = counts.map { "\(String(repeating: "N", count: $0)): \($0)\r\n" }
            let bytes = MessageBytes(copying: Array(post(lines.joined()).utf8)[...])
            var parser = RequestParser(limits: HeadLimits())
            var cursor = 0
            let head = try #require(try parser.next(in: bytes, at: &cursor))
            var request = head.request(in: bytes, body: Body())
            for _ in 0..<2 {
                for count in counts + [3, 61, 66, 199, 201] {
                    let name = try #require(HTTPField.Name(String(repeating: "n", count: count)))
                    #expect(request.headers[name] == (counts.contains(count) ? "\(count)" : nil))
                }
                request.moveOut(of: bytes)
            }
        }

        @Test(arguments: [
            "X : a", "X\t: a", ": a", ":", "X", "X a: b", "X(: a", "X/Y: a", "X\0: a", "X\u{01}: a", "X\u{7F}: a",
            "X=Y: a",
            "Xé: a", "\"X\": a", "{X}: a", "X@Y: a", "X;: a", "X,Y: a", "[X]: a", "\0", " ", "\t", "é: a",
        ])
        func `a name that is not a token, or not followed by its colon, is refused`(line: String) {
            #expect(read(post("\(line)\r\n")) == .invalid(.malformedFieldLine))
        }

        @Test(arguments: ["X: a\r\n b", "X: a\r\n\tb", "X:\r\n b", "X: a\r\n ", "X: a\r\n \r\n b", "X: a\r\n : b"])
        func `a folded line is refused`(lines: String) {
            #expect(read(post("\(lines)\r\n")) == .invalid(.malformedFieldLine))
        }

        /// The values are long enough for the scan of eight bytes at a time, and the place moves through the word.
        @Test(arguments: Array<UInt8>(0...0x08) + Array(0x0B...0x1F) + [0x7F])
        func `a control character is refused wherever it stands in a value`(control: UInt8) {
            for place in 0...17 {
                var value = Array(repeating: UInt8(ascii: "a"), count: 17)
                value.insert(control, at: place)
                let request = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8) + value + Array("\r\n\r\n".utf8)
                #expect(readInPieces(request, cuts: []) == .invalid(.malformedFieldLine), "\(place)")
            }
        }

        @Test(arguments: [UInt8(0x09)] + Array(0x20...0x7E) + Array(0x80...0xFF))
        func `any other byte may stand in a value`(byte: UInt8) {
            for place in 0...17 {
                var value = Array(repeating: UInt8(ascii: "a"), count: 18)
                value.insert(byte, at: place)
                let request = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8) + value + Array("\r\n\r\n".utf8)
                #expect(readInPieces(request, cuts: []).message != nil, "\(place)")
            }
        }

        @Test func `fields keep their order and their spelling`() throws {
            let message = try whole(post("b: 1\r\nA: 2\r\nB: 3\r\n"))
            #expect(message.fields.map(\.name.rawName) == ["Host", "b", "A", "B"])
            #expect(message.fields.map(\.value) == ["a", "1", "2", "3"])
        }
    }

    @Suite("RFC 9112 §5 and RFC 6585 §5: size of the field lines") struct FieldLimitTests {
        private static let small = HeadLimits(requestLine: 32, fields: 64, fieldCount: 4)
        private static let start = "GET / HTTP/1.1\r\nHost: a\r\n"

        /// A head whose field lines have this many bytes together.
        private static func head(_ size: Int) -> String {
            start + "X: " + String(repeating: "x", count: size - 14) + "\r\n\r\n"
        }

        @Test(arguments: [20, 63, 64])
        func `fields within the limit are read, wherever they are cut`(size: Int) {
            #expect(read(Self.head(size), limits: Self.small).message?.fields.count == 2)
        }

        @Test(arguments: [65, 66, 67, 82, 83, 84, 85, 86, 87, 200])
        func `larger ones get 431`(size: Int) {
            let outcome = read(Self.head(size), limits: Self.small)
            #expect(outcome == .invalid(.fieldsTooLarge))
            #expect(outcome.error?.status.code == 431)
        }

        @Test func `a head that never ends is refused at the limit`() {
            let head = Array(Self.head(400).utf8)
            let limit = Self.small.head
            #expect(readInPieces(Array(head[..<limit]), cuts: [], Self.small) == .partial)
            #expect(readInPieces(Array(head[..<(limit + 1)]), cuts: [], Self.small) == .invalid(.fieldsTooLarge))
        }

        @Test(arguments: [(1, true), (3, true), (4, false), (9, false)])
        func `more fields than the limit get 431`(count: Int, isRead: Bool) {
            let lines = String(repeating: "X:\r\n", count: count)
            let outcome = read(Self.start + lines + "\r\n", limits: Self.small)
            #expect(isRead ? outcome.message?.fields.count == count + 1 : outcome == .invalid(.fieldsTooLarge))
        }

        @Test(arguments: [(32 * 1024, true), (32 * 1024 + 1, false), (100 * 1024, false)])
        func `the default limit is 32 KiB`(size: Int, isRead: Bool) {
            let request = Array(Self.head(size).utf8)
            for cut in [1, 20, size, request.count - 4, request.count - 3, request.count - 2, request.count - 1] {
                let outcome = readInPieces(request, cuts: [cut])
                #expect(isRead ? outcome.message != nil : outcome == .invalid(.fieldsTooLarge), "\(cut)")
            }
        }

        @Test(arguments: [(99, true), (100, false)])
        func `the default limit is 100 fields`(count: Int, isRead: Bool) {
            let request = Array((Self.start + String(repeating: "X: a\r\n", count: count) + "\r\n").utf8)
            let outcome = readInPieces(request, cuts: [])
            #expect(isRead ? outcome.message != nil : outcome == .invalid(.fieldsTooLarge))
        }

        @Test func `empty lines ahead do not count`() {
            let head = String(repeating: "\r\n", count: 200) + Self.head(64)
            #expect(read(head, limits: Self.small).message != nil)
        }
    }
}
