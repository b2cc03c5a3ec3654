// The fuzz targets: functions of arbitrary bytes whose laws must hold for all of them. The fuzzer makes up bytes and
// looks for a trap, a read beyond memory, a hang or a broken law. The tests run the same functions over the corpus that
// the fuzzer has left.

/// A function of any bytes that throws when the code under test breaks a law.
struct FuzzTarget: Sendable {
    /// The name of its file and of its folder in the corpus.
    let name: String
    let run: @Sendable ([UInt8]) throws -> Void

    static let all = [
        FuzzTarget(name: "request", run: fuzzRequest),
        FuzzTarget(name: "chunked", run: fuzzChunked),
        FuzzTarget(name: "url", run: fuzzURL),
        FuzzTarget(name: "fields", run: fuzzFields),
        FuzzTarget(name: "template", run: fuzzTemplate),
        FuzzTarget(name: "json", run: fuzzJSON),
        FuzzTarget(name: "sql", run: fuzzSQL),
        FuzzTarget(name: "websocket", run: fuzzWebSocket),
        FuzzTarget(name: "deflate", run: fuzzDeflate),
        FuzzTarget(name: "multipart", run: fuzzMultipart),
        FuzzTarget(name: "image", run: fuzzImage),
        FuzzTarget(name: "forwarded", run: fuzzForwarded),
        FuzzTarget(name: "trace", run: fuzzTrace),
    ]
}

/// A law that some input has broken.
struct BrokenLaw: Error, CustomStringConvertible {
    let description: String
}

/// Throws unless the law holds.
func hold(_ law: Bool, _ description: @autoclosure () -> String) throws(BrokenLaw) {
    guard law else { throw BrokenLaw(description: description()) }
}

/// Throws unless both are the same.
func same<Value: Equatable>(_ left: Value, _ right: Value, _ law: @autoclosure () -> String) throws(BrokenLaw) {
    guard left == right else { throw BrokenLaw(description: "\(law()):\n  \(left)\n  \(right)") }
}

/// Offsets that depend only on the bytes, so that each input always has the same cuts of its own.
func cuts(of bytes: [UInt8], count: Int) -> [Int] {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a, then splitmix64
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return (0..<count).map { _ in
        state &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return Int((mixed ^ (mixed >> 31)) % UInt64(bytes.count + 1))
    }.sorted()
}
