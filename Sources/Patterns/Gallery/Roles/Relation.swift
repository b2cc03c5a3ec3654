/// That one role uses another.
struct Relation: Equatable, Sendable {
    enum Kind: String, Sendable {
        /// It names the other's type.
        case direct
        /// It names a protocol that the other conforms to.
        case `protocol`
        /// The other has given it a closure, or follows its value.
        case callback
    }

    /// The names of the roles.
    let from: String
    let to: String
    let kind: Kind

    /// The relation as a sentence.
    var description: String {
        switch kind {
        case .direct: "\(from) uses \(to)."
        case .protocol: "\(from) uses \(to), which it knows as a protocol only."
        case .callback: "\(from) tells \(to), which it does not know."
        }
    }
}
