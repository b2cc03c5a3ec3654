/// A text that is equal to another only if it has the same bytes.
///
/// `String` compares by canonical equivalence: `é` is equal to `e` followed by U+0301, and the Kelvin sign to `K`. To
/// proxies, file systems and databases they are different, so any text that names or guards something is compared by
/// its bytes.
package struct ExactText: Hashable, Sendable {
    /// The text.
    package let text: String

    /// Wraps a text.
    package init(_ text: String) { self.text = text }

    /// Whether both have the same bytes.
    package static func == (left: ExactText, right: ExactText) -> Bool {
        guard left.text.utf8.count == right.text.utf8.count else { return false }
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in right.withUTF8 { left.hasSameBytes(as: $0) } }
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
