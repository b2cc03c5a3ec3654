@testable import Roost

extension Cost {
    /// The cost of compressing a response, for each of its bytes, with zlib's part. These are no attacks: a site
    /// chooses what it compresses.
    static var compression: [Cost] {
        let inputs = [
            Input("a page", "<!doctype html><ul>", repeating: "<li><a href=\"/users/7\">Nelson &amp; Cathy</a></li>\n"),
            Input("JSON", "[", repeating: "{\"id\":7,\"name\":\"Nelson\"},", "]"),
        ]
        return table("Compression", budget: 100, inputs, compress)
            + [
                Cost(parser: "Compression", input: "bytes without a pattern", budget: 250) { size in
                    var state: UInt64 = 1
                    let bytes = (0..<size).map { _ in
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        return UInt8(truncatingIfNeeded: state >> 33)
                    }
                    return { bytes.withUnsafeBufferPointer(compress) }
                }
            ]
    }

    private static func compress(_ bytes: UnsafeBufferPointer<UInt8>) {
        let output = ByteBuffer()
        guard let gzip = try? Gzip(size: bytes.count, level: 5) else { return }
        gzip.write(bytes, followedBy: .end, to: output)
        result += output.written.count
    }
}
