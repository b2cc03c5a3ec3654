import Glibc
import HTTPTypes

/// The field lines of a received head: bytes that the parser has checked, searched only on demand.
///
/// No table of fields is kept. A search for a name of a length that none of them has looks at no line, and any other
/// search rules out a line by looking at one byte.
struct ReceivedFields: Sendable {
    let bytes: MessageBytes
    /// The place of the field lines: from the first byte of the first to just after the CRLF of the last.
    let range: ByteRange
    var nameLengths = NameLengths.all

    /// All values of a name joined into one; nil when there are none.
    func value(_ name: HTTPField.Name) -> String? {
        var result: String?
        forEach(name) { value in
            let text = bytes.text(value)
            if result == nil { result = text } else { result?.append(Headers.separator(of: name) + text) }
        }
        return result
    }

    /// The only value of a name; nil when there are none, or several.
    func only(_ name: HTTPField.Name) -> UnsafeBufferPointer<UInt8>? {
        var result: ByteRange?
        var count = 0
        forEach(name) { value in
            result = value
            count += 1
        }
        return count == 1 ? result.map(bytes.slice) : nil
    }

    /// Returns the place of a name's first value; nil when no line has the name.
    func first(_ name: HTTPField.Name) -> ByteRange? {
        var result: ByteRange?
        forEach(name) { value in if result == nil { result = value } }
        return result
    }

    /// Every line in order.
    var list: [Headers.Field] {
        var list: [Headers.Field] = []
        var line = Int(range.start)
        while line < Int(range.end) {
            let next = lineEnd(line)
            if let colon = memchr(bytes.base + line, 0x3A, next - line) {
                let colon = bytes.base.distance(to: colon.assumingMemoryBound(to: UInt8.self))
                if let name = HTTPField.Name(bytes.text(ByteRange(line, colon))) {
                    list.append(.init(name: name, value: bytes.text(bytes.trimmed(colon + 1, next - 2))))
                }
            }
            line = next
        }
        return list
    }

    /// Calls a function with the place of each value of a name.
    @inline(__always)
    func forEach(_ name: HTTPField.Name, _ body: (ByteRange) -> Void) {
        var canonical = name.canonicalName
        canonical.withUTF8 { name in
            guard nameLengths.contains(name.count) else { return }
            var line = Int(range.start)
            while line < Int(range.end) {
                let next = lineEnd(line)
                let colon = line + name.count
                if colon < next, bytes.base[colon] == 0x3A,
                    bytes.slice(ByteRange(line, colon)).isEqualIgnoringCase(to: name)
                {
                    body(bytes.trimmed(colon + 1, next - 2))
                }
                line = next
            }
        }
    }

    /// The offset after the line feed of the line that begins at `line`.
    private func lineEnd(_ line: Int) -> Int {
        guard let feed = memchr(bytes.base + line, 0x0A, Int(range.end) - line) else { return Int(range.end) }
        return bytes.base.distance(to: feed.assumingMemoryBound(to: UInt8.self)) + 1
    }
}
