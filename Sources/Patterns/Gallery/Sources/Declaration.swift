/// A type that a file declares or extends.
struct Declaration: Equatable, Sendable {
    enum Kind: String {
        case `struct`
        case `class`
        case `enum`
        case `protocol`
        case `extension`
    }

    let kind: Kind
    let name: String
    /// The protocols that the line names after the colon.
    let inherited: [String]

    /// The declaration that a line begins; nil when it begins none, or one within another.
    init?(line: String) {
        guard !line.hasPrefix(" ") else { return nil }
        var words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)[...]
        while let word = words.first, ["package", "public", "final", "private", "indirect"].contains(word) {
            words.removeFirst()
        }
        guard let kind = words.popFirst().flatMap(Kind.init), let name = words.popFirst() else { return nil }
        self.kind = kind
        self.name = name
        inherited = line.contains(":") ? Array(words) : []
    }
}
