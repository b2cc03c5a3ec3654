/// A valid name for a user: 1 to 100 characters, without surrounding spaces and without control characters.
struct UserName: Sendable, Equatable {
    static let maximumLength = 100
    /// One character can have any number of bytes, since combining marks have no limit; four are enough for nearly all.
    static let maximumBytes = 4 * maximumLength

    let text: String

    /// Trims and checks a text.
    init(_ input: String) throws(InvalidUserName) {
        // Checked before trimming it character by character, which would waste time on what no person typed.
        guard input.utf8.count <= 4 * Self.maximumBytes else { throw .tooLong }
        if Self.isPlain(input) {
            text = input
            return
        }
        let text = Self.trimmed(input)
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.maximumBytes, text.count <= Self.maximumLength else { throw .tooLong }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { throw .control }
        self.text = text
    }

    /// Whether a text is valid as it is, for reasons that bytes tell: it is short, in ASCII without control characters,
    /// and neither begins nor ends with a space. Most names are.
    private static func isPlain(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (1...maximumLength).contains(bytes.count), bytes.first != 0x20, bytes.last != 0x20 else { return false }
        return bytes.allSatisfy { $0 &- 0x20 < 0x5F }
    }

    private static func trimmed(_ text: String) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }
}

/// The reason why a text is not a valid name.
enum InvalidUserName: Error, Equatable {
    case empty
    case tooLong
    case control

    /// The message to the person who typed the name.
    var message: String {
        switch self {
        case .empty: "Name cannot be empty"
        case .tooLong: "Name cannot be longer than \(UserName.maximumLength) characters"
        case .control: "Name cannot contain control characters"
        }
    }
}
