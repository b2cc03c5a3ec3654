extension Browser {
    /// A key without a character, by its code point in WebDriver §17.4.2.
    enum Key: String, Sendable {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case escape = "\u{E00C}"
        case space = "\u{E00D}"
        case up = "\u{E013}"
        case down = "\u{E015}"
    }
}
