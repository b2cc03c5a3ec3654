import Roost

/// What is known about the statements' texts: which are plain reads, and which go alone for a while.
struct ReadTexts {
    private struct Known {
        let isPlain: Bool
        var aloneUntil: ContinuousClock.Instant?
    }

    private var texts: [ExactText: Known] = [:]

    /// How many texts are remembered.
    private static let maximumCount = 1_024

    /// Whether a statement may share a connection with others.
    mutating func mayShare(_ text: String, _ now: ContinuousClock.Instant) -> Bool {
        let key = ExactText(text)
        if let known = texts[key] { return known.isPlain && known.aloneUntil.map { $0 <= now } ?? true }
        if texts.count >= Self.maximumCount { texts.removeAll() }
        let isPlain = PlainRead.isPlain(text)
        texts[key] = Known(isPlain: isPlain)
        return isPlain
    }

    /// Has a statement go alone for a while, because it has held up or undone others.
    mutating func setApart(_ text: String, until end: ContinuousClock.Instant) {
        texts[ExactText(text)]?.aloneUntil = end
    }
}
