import PatternCore

/// A feature of a pattern: its screens, its diagram, and its files in the order in which one reads them.
struct Feature: Sendable {
    let pattern: Pattern
    /// Its folder, such as `Login`.
    let name: String
    /// The title for people.
    let title: String
    /// The path of its first screen.
    let url: String
    let sources: [Source]

    init(_ pattern: Pattern, _ name: String, _ title: String, _ files: KeyValuePairs<Part, [String]>) {
        self.pattern = pattern
        self.name = name
        self.title = title
        url = "\(pattern.path)/\(name.lowercased())"
        sources = files.flatMap { part, names in
            names.compactMap { Source(part, $0, in: pattern.folder) }
        }
    }

    /// SVG: `MVP/Login/Login.svg`.
    var diagram: String { SourceFile.all.first { $0.path == "\(pattern.folder)/\(name)/\(name).svg" }?.text ?? "" }

    /// The diagram in words: the titles of its arrows, such as `LoginViewController → LoginPresenter: didTapLogin`.
    var arrows: [String] {
        diagram.utf8.split(separator: "<title>".utf8).dropFirst()
            .map { String(Substring($0.prefix { $0 != UInt8(ascii: "<") })) }
    }
}
