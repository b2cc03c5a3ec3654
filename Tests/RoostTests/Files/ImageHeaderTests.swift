import Testing

@testable import Roost

@Suite("Pictures' headers", .timeLimit(.minutes(5)))
struct ImageHeaderTests {
    private static func header(_ bytes: [UInt8]) -> String? {
        ImageHeader(bytes).map { "\($0.format) \($0.width)x\($0.height)" }
    }

    private static func png(_ width: [UInt8], _ height: [UInt8]) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + width + height
    }

    private static func webp(_ chunk: String, _ content: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WEBP\(chunk)".utf8) + [0, 0, 0, 0] + content
    }

    private static func jpeg(_ segments: [UInt8]) -> [UInt8] { [0xFF, 0xD8] + segments }

    static let pictures: [(bytes: [UInt8], header: String)] = [
        (png([0, 0, 0x10, 0], [0, 0, 0, 1]), "png 4096x1"),
        (png([0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0, 0, 0]), "png 4294967295x2130706432"),
        (Array("GIF89a".utf8) + [0x2C, 0x01, 0x05, 0x00], "gif 300x5"),
        (Array("GIF87a".utf8) + [0xFF, 0xFF, 0x01, 0x00], "gif 65535x1"),
        (webp("VP8X", [0, 0, 0, 0, 0xFF, 0x0F, 0, 1, 0, 0]), "webp 4096x2"),
        // 14 bits of width less one, 14 bits of height less one.
        (webp("VP8L", [0x2F, 0xFF, 0xCF, 0x02, 0, 0, 0, 0, 0, 0]), "webp 4096x12"),
        (webp("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x41, 0x20, 0xC0]), "webp 320x32"),
        (jpeg([0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1]), "jpeg 3x2"),
        (jpeg([0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0x10, 0, 0, 3, 1]), "jpeg 3x4096"),
        (jpeg([0xFF, 0xC4, 0, 2, 0xFF, 0xDB, 0, 3, 0xFF, 0xFF, 0xCF, 0, 11, 8, 0, 2, 0, 3, 1]), "jpeg 3x2"),
    ]

    @Test(arguments: pictures.indices)
    func `the size is in the header`(index: Int) {
        #expect(Self.header(Self.pictures[index].bytes) == Self.pictures[index].header)
        #expect(Self.header(Self.pictures[index].bytes + [1, 2, 3]) == Self.pictures[index].header)
    }

    @Test(arguments: pictures.indices)
    func `a header that is cut off is none, and nothing is read beyond it`(index: Int) {
        let bytes = Self.pictures[index].bytes
        for count in bytes.indices {
            let header = ImageHeader(count: count) { range in
                #expect(range.lowerBound >= 0 && range.upperBound <= count)
                return Array(bytes[range])
            }
            // The last byte of two of the samples is not part of the size.
            #expect(header == nil || count == bytes.count - 1)
        }
    }

    @Test(
        arguments: [
            [], [0], Array("<svg width=\"1\" height=\"1\"/>".utf8), Array("<!doctype html><script>".utf8),
            png([0, 0, 0, 0], [0, 0, 0, 1]), png([0, 0, 0, 1], [0, 0, 0, 0]), Array("GIF88a".utf8) + [1, 0, 1, 0],
            Array("GIF89a".utf8) + [0, 0, 1, 0], webp("VP8Y", [UInt8](repeating: 1, count: 20)),
            webp("VP8L", [UInt8](repeating: 0, count: 20)), webp("VP8 ", [UInt8](repeating: 0, count: 20)),
            jpeg([0xFF, 0xC0, 0, 11, 8, 0, 0, 0, 3, 1]), jpeg([0xFF, 0xE0, 0, 1, 0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1]),
            jpeg([0xFF, 0xDA, 0, 2, 0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1]), jpeg([0xFF, 0xD9]),
            jpeg([0xFF, 0xE0, 0xFF, 0xFF, 1]), jpeg([UInt8](repeating: 0xFF, count: 5000)),
            jpeg([0xFF, 0x01, 0, 2]), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
        ] as [[UInt8]])
    func `what is no picture has no header`(bytes: [UInt8]) {
        #expect(Self.header(bytes) == nil)
    }

    @Test func `a GIF is as large as its first frame, if that is larger than the screen`() {
        let start = Array("GIF89a".utf8) + [5, 0, 1, 0]
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFE, 0xFF, 0, 2, 2, 0x44, 1, 0, 0x3B]
        let comment: [UInt8] = [0x21, 0xFE, 2, 0x2C, 0x2C, 1, 0x3B, 0]
        #expect(Self.header(start + [0, 0, 0] + frame) == "gif 65535x65534")
        let table = [UInt8](repeating: 0x2C, count: 12)
        #expect(Self.header(start + [0x81, 0, 0] + table + comment + comment + frame) == "gif 65535x65534")
        // The larger of both, and a frame that is cut off.
        #expect(Self.header(start + [0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 7, 0, 0]) == "gif 5x7")
        #expect(Self.header(start + [0, 0, 0] + frame.prefix(8)) == "gif 5x1")
        #expect(Self.header(start + [0, 0, 0, 0x3B]) == "gif 5x1")
        // What programs read in different ways.
        #expect(Self.header(start + [0, 0, 0, 1] + frame) == nil)
        #expect(Self.header(start + [0, 0, 0, 0x21, 0xFE] + [UInt8](repeating: 1, count: 50_000)) == nil)
    }

    @Test func `a JPEG of small segments is given up`() {
        let bytes = Self.jpeg((0..<100_000).flatMap { _ in [0xFF, 0xE0, 0, 2] as [UInt8] })
        var reads = 0
        let header = ImageHeader(count: bytes.count) { range in
            reads += 1
            return Array(bytes[range])
        }
        #expect(header == nil)
        #expect(reads <= 1001)
    }
}
