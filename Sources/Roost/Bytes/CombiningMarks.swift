/// Limits how many combining marks a letter may have.
///
/// `String` compares and hashes by canonical equivalence, for which it sorts the marks of each letter. The time for
/// that grows with the square of their number: a megabyte of them takes a minute. So a name that becomes the key of a
/// dictionary, and a long text of a client, are refused when they have more marks than stream-safe text may have
/// (UAX #15 §13), and the value of a header field becomes a text without them.
enum CombiningMarks {
    /// The most marks in a row.
    static let maximum = 30
    /// The size in bytes of a text that can be compared quickly, however many marks it has.
    static let quickSize = 1024

    /// Whether a text has more marks in a row than that.
    static func areTooMany(in text: some StringProtocol) -> Bool {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return false }
        var count = 0
        for scalar in text.unicodeScalars {
            count = isMark(scalar) ? count + 1 : 0
            if count > maximum { return true }
        }
        return false
    }

    /// Whether a text that is a value has so many that comparing it would take long.
    static func areTooMany(inValue text: String) -> Bool { text.utf8.count > quickSize && areTooMany(in: text) }

    /// A text in which U+FFFD stands for each mark after those.
    static func limited(_ text: String) -> String {
        guard areTooMany(in: text) else { return text }
        var limited = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count = isMark(scalar) ? count + 1 : 0
            limited.append(count > maximum ? "\u{FFFD}" : scalar)
        }
        return String(limited)
    }

    /// Whether a scalar is sorted among its neighbours, or decomposes into scalars that are.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
