import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5)))
struct `HTML escaping` {
    private func escape(_ text: String) -> String {
        let buffer = ByteBuffer()
        HTMLEscaping.append(text.utf8, to: buffer)
        return String(decoding: buffer.written, as: UTF8.self)
    }

    /// The same from larger memory, in which other bytes follow.
    private func escapePadded(_ text: String) -> String {
        let (buffer, memory) = (ByteBuffer(), Array(text.utf8) + Array(repeating: 0x26, count: 8))
        memory.withUnsafeBufferPointer { bytes in
            if let base = bytes.baseAddress { HTMLEscaping.append(padded: base, count: text.utf8.count, to: buffer) }
        }
        return String(decoding: buffer.written, as: UTF8.self)
    }

    /// The same, one scalar after the other.
    private func reference(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            case "\0": "\u{FFFD}"
            default: String(scalar)
            }
        }.joined()
    }

    @Test(arguments: ["", "a", "&", "<>&\"'", "plain text, long enough", "é<€>😀&", "\r\n\t\0", "\"quoted\""])
    func `text`(_ text: String) {
        #expect(escape(text) == reference(text))
        #expect(escapePadded(text) == reference(text))
    }

    @Test func `every byte at every place of a word`() {
        for scalar in (0..<256).compactMap({ Unicode.Scalar(UInt32($0)) }) {
            for place in 0..<17 {
                let text =
                    String(repeating: "x", count: place) + String(scalar) + String(repeating: "y", count: 16 - place)
                #expect(escape(text) == reference(text))
                #expect(escapePadded(text) == reference(text))
            }
        }
    }

    @Test(arguments: [4095, 4096, 4097, 8192, 10_000])
    func `texts longer than a piece`(_ count: Int) {
        let text = String(repeating: "'", count: count)
        #expect(escape(text) == String(repeating: "&#39;", count: count))
        #expect(escapePadded(text) == escape(text))
    }
}
