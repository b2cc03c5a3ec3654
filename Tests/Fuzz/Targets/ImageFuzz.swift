@testable import Roost

/// The header of a picture is read from within its bytes, has a size, and does not depend on what follows it.
func fuzzImage(_ bytes: [UInt8]) throws {
    var end = 0
    let header = try ImageHeader(count: bytes.count) { range throws in
        try hold(range.lowerBound >= 0 && range.upperBound <= bytes.count, "nothing beyond the file is read")
        end = max(end, range.upperBound)
        return Array(bytes[range])
    }
    try same(ImageHeader(bytes), header, "in memory, and read piece by piece")
    guard let header else { return }
    try hold(header.width > 0 && header.height > 0 && header.width <= 1 << 32, "a picture has a size")
    try same(ImageHeader(Array(bytes[..<end]) + [0xFF, 0xD8, 0, 0]), header, "what follows does not matter")
}
