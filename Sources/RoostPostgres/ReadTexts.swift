import Roost

/// The texts of statements, each with what is known of it: whether it is a plain read, and until when it goes alone.
struct ReadTexts {
    private struct Known {
        let isPlain: Bool
        var aloneUntil: ContinuousClock.Instant?
    }

    private var texts: [ExactText: Known] = [:]
    /// The text that was asked for last, if it may share: to compare texts costs less than to hash one.
    private var last: ExactText?

    /// The most texts that are remembered.
    private static let maximumCount = 1_024

    /// Whether a statement may share a connection with others.
    mutating func mayShare(_ text: String, _ now: ContinuousClock.Instant) -> Bool {
        let key = ExactText(text)
        if let last, last == key { return true }
        let known = texts[key] ?? learn(key)
        let mayShare = known.isPlain && known.aloneUntil.map { $0 <= now } ?? true
        last = mayShare ? key : nil
        return mayShare
    }

    private mutating func learn(_ key: ExactText) -> Known {
        if texts.count >= Self.maximumCount { texts.removeAll() }
        let known = Known(isPlain: PlainRead.isPlain(key.text))
        texts[key] = known
        return known
    }

    /// Has a statement go alone for a while, because it has held up or undone others.
    mutating func setApart(_ text: String, until end: ContinuousClock.Instant) {
        texts[ExactText(text)]?.aloneUntil = end
        last = nil
    }
}
