/// A value that is being written at the end of a text: how deep it is, and what it holds so far.
struct JSONPlace {
    /// What fills a place.
    enum Kind: UInt8 {
        case vacant
        case scalar
        case object
        case array
    }

    /// Names the place; never used again.
    var serial: Int
    /// How many arrays and objects are around it.
    let depth: Int
    /// Where it begins in the text.
    let start: Int
    /// How many members or elements it holds.
    var members = 0
    var kind = Kind.vacant

    /// The place of nothing.
    static let none = JSONPlace(serial: -1, depth: -1, start: 0)
}
