import Testing

@testable import Roost

@Suite("RFC 7578, RFC 2046: multipart/form-data", .timeLimit(.minutes(5)))
struct MultipartParserTests {
    private static func body(_ parts: String..., end: String = "--X--\r\n") -> [UInt8] {
        Array((parts.map { "--X\r\n\($0)\r\n" }.joined() + end).utf8)
    }

    private static func status(_ bytes: [UInt8], limits: MultipartLimits = MultipartLimits()) -> Int? {
        do throws(HTTPError) {
            _ = try ReadForm.read(bytes, limits: limits)
            return nil
        } catch {
            return error.status.code
        }
    }

    private static let field = "Content-Disposition: form-data; name=\"a\"\r\n\r\n"

    @Test func `fields and files are read as browsers send them`() throws {
        let bytes = Self.body(
            "Content-Disposition: form-data; name=\"name\"\r\n\r\nÄda",
            "Content-Disposition: form-data; name=\"picture\"; filename=\"a.png\"\r\n"
                + "Content-Type: image/png\r\n\r\n\r\n-"
        )
        let parts = try ReadForm.read(bytes).parts
        #expect(
            parts == [
                .init("name", "Äda"), .init("picture", "\r\n-", fileName: "a.png", contentType: "image/png"),
            ])
    }

    /// Every piece that is nearly a delimiter.
    private static let hostile =
        "\r\n--\r\n--Y\r\r\n-\r\n--x\r\n\r\r\n--\r--X\n--X\r\n-X\r\n--\r\n\r\n\r\n-- X"

    @Test func `the same is read wherever the bytes are cut`() throws {
        let bytes = Array(
            ("before\r\n" + String(decoding: Self.body(Self.field + Self.hostile, Self.field, end: ""), as: UTF8.self)
                + "--X \t\r\n" + Self.field + "last\r\n--X--after\r\n--X\r\n").utf8)
        let whole = try ReadForm.read(bytes)
        #expect(whole.parts == [.init("a", Self.hostile), .init("a", ""), .init("a", "last")])
        #expect(try ReadForm.read(bytes, cuts: Array(bytes.indices)) == whole)
        for first in bytes.indices {
            #expect(try ReadForm.read(bytes, cuts: [first]) == whole)
            let second = min(first + 3, bytes.count)
            #expect(try ReadForm.read(bytes, cuts: [first, second]) == whole)
        }
    }

    @Test func `a body is malformed wherever it is cut off`() throws {
        let bytes = Self.body(Self.field + "b", end: "--X--")
        for count in bytes.indices { #expect(Self.status(Array(bytes[..<count])) == 400, "\(count)") }
        #expect(Self.status(bytes) == nil)
    }

    @Test func `a form without fields and parts without content are possible`() throws {
        #expect(try ReadForm.read(Array("--X--".utf8)).parts.isEmpty)
        #expect(try ReadForm.read(Array("--X\r\n\(Self.field)--X--".utf8)).parts == [.init("a", "")])
        let cuts = Array("--X\r\n\(Self.field)--X--".utf8.indices).count
        #expect(try ReadForm.read(Array("--X\r\n\(Self.field)--X--".utf8), cuts: Array(0..<cuts)).parts.count == 1)
    }

    @Test func `content is any bytes`() throws {
        let content = (0...255).map { UInt8($0) }
        let bytes = Array("--X\r\n\(Self.field)".utf8) + content + Array("\r\n--X--".utf8)
        #expect(try ReadForm.read(bytes).parts == [.init("a", bytes: content)])
    }

    @Test(arguments: [
        "", "--Y--", "X", "--X", "--X\r", "--X\n\r\n", "--Xx\r\n", "--X-\r\n", "--X \r--X",
        "--X\r\n\r\nb\r\n--X--", "--X\r\nContent-Type: text/plain\r\n\r\nb\r\n--X--",
        "--X\r\nContent-Disposition: form-data\r\n\r\nb\r\n--X--",
        "--X\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nb\r\n--X--",
        "--X\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\nb\r\n--X--",
        "--X\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"; filename=\"c\"\r\n\r\nb\r\n--X--",
        "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n"
            + "Content-Disposition: form-data; name=\"b\"\r\n\r\n\r\n--X--",
        "--X\r\nContent-Disposition: form-data; name=\"a\"; x\r\n\r\nb\r\n--X--",
        "--X\r\nContent-Disposition : form-data; name=\"a\"\r\n\r\nb\r\n--X--",
        "--X\r\nContent-Disposition: form-data;\r\n name=\"a\"\r\n\r\nb\r\n--X--",
        "--X\r\nContent-Disposition: form-data; name=\"a\0\"\r\n\r\nb\r\n--X--",
        "--X\r\nContent-Disposition: form-data; name=\"a\"\n\r\nb\r\n--X--",
        "--X\r\nContent-Disposition: form-data; name=\"a\rb\"\r\n\r\nb\r\n--X--",
        "--X\r\n\(field)b--X--", "--X\r\n\(field)b\n--X--", "--X\r\n\(field)b\r\n--X",
        "--X\r\nContent-Transfer-Encoding: base64\r\n\(field)Yg==\r\n--X--",
    ])
    func `a malformed body is 400`(text: String) {
        #expect(Self.status(Array(text.utf8)) == 400)
    }

    @Test(arguments: ["7bit", "8BIT", "binary"])
    func `an encoding that changes nothing is allowed`(encoding: String) throws {
        let bytes = Self.body("Content-Transfer-Encoding: \(encoding)\r\nX-Other: 1\r\n\(Self.field)b")
        #expect(try ReadForm.read(bytes).parts == [.init("a", "b")])
    }

    @Test(
        arguments: [
            ("name=\"a b\"", "a b", nil), ("name=a", "a", nil), ("NAME=\"a\"", "a", nil), ("name=\"\"", "", nil),
            ("name=\"a;b=c\"; filename=\"d;e\"", "a;b=c", "d;e"), ("name=\"a%22b%0D%0Ac%41\"", "a\"b\r\nc%41", nil),
            ("name=\"a\\\"b\\c\"", "a\"b\\c", nil), ("name=\"a\"; filename=\"\"", "a", ""),
            ("name=\"a\"; filename=\"../../etc/passwd\"", "a", "passwd"),
            ("name=\"a\"; filename=\"C:\\photos\\b.png\"", "a", "b.png"),
            ("name=\"a\"; filename=\"..\"", "a", ""), ("name=\"a\"; filename=\"/\"", "a", ""),
            ("name=\"a\"; filename=\"b%0Dc\tö\"", "a", "bcö"),
            ("name=\"a\"; filename*=UTF-8''b", "a", nil),
        ] as [(String, String, String?)])
    func `names are read as they were meant`(parameters: String, name: String, fileName: String?) throws {
        let bytes = Self.body("Content-Disposition: form-data; \(parameters)\r\n\r\nb")
        let part = try #require(try ReadForm.read(bytes).parts.first)
        #expect(part.name == name)
        #expect(part.fileName == fileName)
    }

    @Test(arguments: ["", " ", "a ", "ä", "a\"", "a\r\nb", String(repeating: "a", count: 71)])
    func `a boundary is what RFC 2046 says`(boundary: String) {
        #expect(throws: HTTPError.self) { try MultipartParser(boundary: boundary, limits: MultipartLimits()) }
    }

    @Test func `the longest boundary works`() throws {
        let boundary = String(repeating: "-'()+_,./:=? b", count: 5)
        let text = "--\(boundary)\r\n\(Self.field)b\r\n--\(boundary)--"
        #expect(boundary.utf8.count == 70)
        let bytes = Array(text.utf8)
        #expect(try ReadForm.read(bytes, boundary: boundary, cuts: Array(bytes.indices)).parts == [.init("a", "b")])
    }

    // MARK: Limits

    @Test func `each limit is exact`() throws {
        let bytes = Self.body(Self.field + "12345", "Content-Disposition: form-data; name=a; filename=abc\r\n\r\n")
        var limits = MultipartLimits(maximumSize: bytes.count, maximumPartSize: 5)
        limits.maximumParts = 2
        limits.maximumFiles = 1
        limits.maximumFileNameSize = 3
        limits.maximumHeaderSize = 56
        #expect(Self.status(bytes, limits: limits) == nil)
        for change: (inout MultipartLimits) -> Void in [
            { $0.maximumSize -= 1 }, { $0.maximumPartSize = 4 }, { $0.maximumParts = 1 },
            { $0.maximumFiles = 0 },
            { $0.maximumFileNameSize = 2 }, { $0.maximumHeaderSize = 55 },
        ] {
            var smaller = limits
            change(&smaller)
            #expect(Self.status(bytes, limits: smaller) == 413)
        }
    }

    @Test func `a header that does not end is not kept`() throws {
        var parser = try MultipartParser(boundary: "X", limits: MultipartLimits())
        try parser.receive(Array("--X\r\nContent-Disposition: ".utf8))
        #expect(throws: HTTPError.self) {
            for _ in 0..<100 {
                try parser.receive([UInt8](repeating: 0x61, count: 1000))
                #expect(try parser.next() == nil)
            }
        }
    }
}
