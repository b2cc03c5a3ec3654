/// Where one value of a ``JSONDocument`` is being written, and what it holds so far.
struct JSONPlace {
    /// What fills a place.
    enum Kind: UInt8 {
        case vacant
        case scalar
        case object
        case array
    }

    /// Identifies the place. No other place of the document gets this number.
    var serial: Int
    /// How many arrays and objects are around it.
    let depth: Int
    /// Where it begins in the text.
    let start: Int
    /// How many members or elements it holds.
    var members = 0
    /// A bit for each name that an object has; several names may share one.
    var names: UInt64 = 0
    var kind = Kind.vacant

    /// No place, for a document that is not being written.
    static let none = JSONPlace(serial: -1, depth: -1, start: 0)
}
