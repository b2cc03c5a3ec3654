/// A place for one value in a document that is being written: where it stands in the text and what fills it so far.
struct JSONPlace {
    /// What fills a place.
    enum Kind: UInt8 {
        case vacant
        case scalar
        case object
        case array
    }

    /// Names the place; never used again within a document.
    var serial: Int
    /// The index of the place around it; -1 for the document itself.
    let parent: Int
    /// How many arrays and objects are around it.
    let depth: Int
    /// How many members or elements come before it.
    let position: Int
    /// Where its value begins in the text.
    var start: Int
    /// Where its value's last byte is, once it is closed.
    var end = 0
    /// How many members or elements it holds.
    var members = 0
    var kind = Kind.vacant
    /// Whether the document may still end inside it.
    var isOpen = true
}
