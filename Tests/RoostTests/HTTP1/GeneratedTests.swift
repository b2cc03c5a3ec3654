import HTTPTypes
import Testing

@testable import Roost

/// Messages that use every rule of the grammar, to be mutated, serialised again and read at the end of memory.
private let samples = [
    get("/"), get("/a/../b/%2e%2e/c?d=%41&e"), get("http://b:80/c"), "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "\r\n" + get("/a;b=c/d"), "HEAD /a%20b HTTP/1.0\r\nConnection: keep-alive, x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: [::1]:80\r\nAccept: text/html;q=0.9, */*\r\nCookie: a=\"b\"\r\n\r\n",
    post("Content-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n", "hello"),
    chunked("5;a=\"b\\\"c\";d\r\nhello\r\n1\r\n!\r\n0;e\r\nF: g\r\n\r\n"), chunked("000\r\n\r\n"),
].map { Array($0.utf8) }

/// A sequence of numbers that is the same in each run (splitmix64).
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension HTTP1Tests {
    @Suite("RFC 9112 as a whole: generated messages") struct GeneratedTests {
        /// The ingredients of request smuggling.
        private static let pieces = [
            "\r\n", "\n", "\r", "\0", " ", "\t", ":", ";", ",", "%", "%00", "%2e", "/", "..", "?", "#", "0", "1", "-",
            "+", "0x", "_", "\"",
            "\\", "ffffffffffffffff", "18446744073709551616", "chunked", "Content-Length: 1\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Host: b\r\n", "HTTP/1.0", "HTTP/2.0", "é", "\u{7F}", "[", "]", "@", "\r\n\r\n", "0\r\n\r\n",
        ].map { Array($0.utf8) }

        private static func mutated(_ sample: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                let end = min(bytes.count, place + Int.random(in: 0...6, using: &generator))
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes.removeSubrange(place..<end)
                case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
                case 2: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &generator) }
                case 3: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator) }
                default: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: place)
                }
            }
            return bytes
        }

        @Test(arguments: samples.indices)
        func `a mutated message is complete, partial or invalid, however it is cut`(index: Int) {
            var generator = SeededGenerator(state: UInt64(index))
            var counts = (complete: 0, partial: 0, invalid: 0)
            for round in 0..<1500 {
                let bytes = Self.mutated(samples[index], &generator)
                let whole = readInPieces(bytes, cuts: [])
                switch whole {
                case .complete(let message):
                    counts.complete += 1
                    expectRoundTrip(message, bytes)
                case .partial: counts.partial += 1
                case .invalid: counts.invalid += 1
                }
                let cut = Int.random(in: 0...bytes.count, using: &generator)
                #expect(readInPieces(bytes, cuts: [cut]) == whole, "round \(round), cut at \(cut): \(bytes)")
                #expect(readInPieces(bytes, cuts: Array(bytes.indices)) == whole, "round \(round): \(bytes)")
            }
            #expect(counts.complete > 0 && counts.partial > 0 && counts.invalid > 0, "\(counts)")
        }

        @Test func `noise is partial or invalid`() {
            var generator = SeededGenerator(state: 1)
            for _ in 0..<2000 {
                let count = Int.random(in: 0...64, using: &generator)
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                #expect(readInPieces(bytes, cuts: []).message == nil)
            }
        }

        @Test(arguments: samples)
        func `a message serialised again is read as the same`(bytes: [UInt8]) throws {
            let message = try #require(read(bytes).message)
            expectRoundTrip(message, bytes)
        }
    }

    /// A read beyond the message ends the test run here, even without the address sanitizer.
    @Suite("Memory: nothing is read after the message") struct MemoryTests {
        @Test(arguments: samples)
        func `every beginning of a message is read at the edge of memory`(bytes: [UInt8]) {
            let page = GuardedPage()
            for count in 1...bytes.count {
                let outcome = page.read(Array(bytes[..<count]))
                #expect(count == bytes.count ? outcome.message != nil : outcome == .partial)
            }
        }

        @Test func `mutated messages are read at the edge of memory`() {
            let page = GuardedPage()
            var generator = SeededGenerator(state: 42)
            for _ in 0..<5000 {
                guard let sample = samples.randomElement(using: &generator) else { continue }
                var bytes = sample
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                #expect(page.read(bytes) == readInPieces(bytes, cuts: []))
            }
        }
    }
}

/// Writes a message again and expects that it is read as the same one.
private func expectRoundTrip(_ message: Message, _ source: [UInt8]) {
    var text = "\(message.method) \(message.target) HTTP/1.\(message.isHTTP10 ? 0 : 1)\r\n"
    for field in message.fields { text += "\(field.name.rawName): \(field.value)\r\n" }
    text += "\r\n"
    var bytes = Array(text.utf8)
    if message.fields.contains(where: { $0.name == .transferEncoding }) {
        let output = ByteBuffer()
        ResponseSerializer.writePiece(message.body, .chunked, to: output)
        ResponseSerializer.writeBodyEnd(.chunked, to: output)
        bytes += output.bytes
    } else {
        bytes += message.body
    }
    var expected = message
    expected.end = bytes.count
    // Invalid UTF-8 in a value was replaced when the value became a string.
    if message.fields.allSatisfy({ !$0.value.contains("\u{FFFD}") }) {
        #expect(readInPieces(bytes, cuts: []).message == expected, "\(source)")
    }
}
