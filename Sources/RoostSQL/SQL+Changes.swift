extension SQL {
    private static let changes = ["INSERT", "UPDATE", "DELETE", "MERGE"].map { Array($0.utf8) }

    /// Whether it may insert, update or delete rows, judged by its words: certainly when it begins with such a word;
    /// possibly when it begins with `WITH` or a comment, and has such a word anywhere.
    package var changesRows: Bool {
        let text = text.utf8.drop { $0 <= 0x20 }
        switch text.first {
        case UInt8(ascii: "w"), UInt8(ascii: "W"), UInt8(ascii: "-"), UInt8(ascii: "/"):
            return text.indices.contains { Self.beginsWithChange(text[$0...]) }
        default: return Self.beginsWithChange(text)
        }
    }

    private static func beginsWithChange(_ text: Substring.UTF8View) -> Bool {
        // Nearly all queries are a SELECT, and most letters begin none of these words.
        guard let first = text.first.map({ $0 & 0xDF }), changes.contains(where: { $0[0] == first }) else {
            return false
        }
        return changes.contains { word in text.prefix(word.count).elementsEqual(word) { $0 & 0xDF == $1 } }
    }
}
