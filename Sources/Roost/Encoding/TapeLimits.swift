/// How much one ``ValueTape`` takes before it fails with a ``TapeLimit``.
struct TapeLimits {
    /// How many cells it may have. That is checked when its memory doubles, so up to twice as many may pass.
    var values = 1 << 31
    /// How many bytes its texts may have together.
    var text = 1 << 40
    /// How many values may be encoded inside each other.
    var depth = 1000
}

/// The limit that a ``ValueTape`` has reached.
enum TapeLimit: Error {
    case values, text, depth
}
