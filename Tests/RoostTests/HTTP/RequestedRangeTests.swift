import Testing

@testable import Roost

@Suite("RFC 9110 §14.1.2: byte ranges", .timeLimit(.minutes(5)))
struct RequestedRangeTests {
    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=0-499", 0..<500), ("bytes=500-999", 500..<1000), ("bytes=500-", 500..<1000),
        ("bytes=-500", 500..<1000), ("bytes=-1", 999..<1000), ("bytes=0-", 0..<1000), ("bytes=999-", 999..<1000),
        ("bytes=0-9999", 0..<1000), ("bytes=-9999", 0..<1000), ("Bytes=1-2", 1..<3), ("bytes= 1-2 ", 1..<3),
        ("bytes=,1-2,", 1..<3), ("bytes=0-99999999999999999999999", 0..<1000),
        ("bytes=-99999999999999999999", 0..<1000),
        ("bytes=007-008", 7..<9), ("bytes=0-9223372036854775807", 0..<1000),
    ])
    func `one range is these bytes`(value: String, bytes: Range<Int>) {
        #expect(range(value) == .bytes(bytes))
    }

    @Test(arguments: ["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999-"])
    func `a range beyond the end cannot be had`(value: String) {
        #expect(range(value) == .unsatisfiable)
    }

    @Test(arguments: ["bytes=0-", "bytes=-5", "bytes=0-0"])
    func `nothing has no range`(value: String) {
        #expect(range(value, size: 0) == .unsatisfiable)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=1", "bytes=2-1", "bytes=1-2-3", "bytes=+1-2",
        "bytes=1 - 2", "bytes=0-1,2-3", "bytes=0-1, -1", "lines=0-1", "0-1", "=0-1", "bytes:0-1", "bytes=0x1-2",
        "bytes=\u{661}-2", "bytes=--1", "bytes = 0-5", "bytes =0-5", " bytes=0-5",
    ])
    func `for anything else, the whole is sent`(value: String) {
        #expect(range(value) == nil)
    }

    private func range(_ value: String, size: Int = 1000) -> RequestedRange? {
        Array(value.utf8).withUnsafeBufferPointer { RequestedRange($0, size: size) }
    }
}
