/// An email address as a person types it.
public struct EmailAddress: Sendable {
    /// The longest possible, in bytes (RFC 5321 §4.5.3.1.3).
    public static let maximumLength = 254

    /// The address without surrounding blanks.
    public let text: String

    /// Trims a text, byte by byte, since anybody may send a megabyte of blanks. Of a text that is too long for an
    /// address, just enough is kept to see that: more would cost memory and time wherever it is counted or compared.
    public init(trimming text: String) {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = text.utf8.firstIndex(where: { !isBlank($0) }),
            let last = text.utf8.lastIndex(where: { !isBlank($0) })
        else {
            self.text = ""
            return
        }
        self.text = String(decoding: text.utf8[first...last].prefix(Self.maximumLength + 1), as: UTF8.self)
    }

    /// The form in which addresses are compared: capital letters make no difference.
    public var key: String { text.lowercased() }

    /// Whether it looks like an address: something, one `@`, something, without blanks and control characters.
    public var isPlausible: Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return text.utf8.count <= Self.maximumLength && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
            && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    }
}
