/// The limits of one ``ValueTape``, which fails with a ``TapeLimit`` beyond them.
struct TapeLimits {
    /// The maximum number of cells. It is checked when the memory doubles, so up to twice as many may pass.
    var values = 1 << 31
    /// The maximum size of all texts together, in bytes.
    var text = 1 << 40
    /// The maximum depth of values that are encoded inside each other.
    var depth = 1000
}

/// The limit that a ``ValueTape`` has reached.
enum TapeLimit: Error {
    case values, text, depth
}
