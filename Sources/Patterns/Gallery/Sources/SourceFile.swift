/// One of the sources of the patterns, as it was when the program was built.
struct SourceFile: Sendable {
    /// Its path below `Sources/Patterns/`: `MVP/Login/LoginPresenter.swift`.
    let path: String
    let text: String
    /// The identifiers outside comments and texts.
    let words: Set<String>
    let declarations: [Declaration]

    /// All of them, in the order of their paths.
    static let all = EmbeddedFiles.all.map { SourceFile(path: $0.path, text: $0.text) }

    init(path: String, text: String) {
        self.path = path
        self.text = text
        let lines = text.split(separator: "\n").map(Self.code)
        words = Set(lines.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init) })
        declarations = lines.compactMap(Declaration.init)
    }

    /// Its folder: `MVP/Login`.
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

    /// Its name without suffix, which is that of its role: `LoginPresenter`.
    var name: String { String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "") }

    /// The lines of code: without blank ones, and without those that are comments only.
    var lineCount: Int {
        text.split(separator: "\n").count { !$0.allSatisfy { $0 == " " } && !$0.drop { $0 == " " }.hasPrefix("//") }
    }

    /// The types that it declares.
    var types: [String] { declarations.filter { $0.kind != .extension }.map(\.name) }

    var protocols: [String] { declarations.filter { $0.kind == .protocol }.map(\.name) }

    /// The gallery's own protocols that its types conform to.
    var conformances: Set<String> {
        Set(declarations.filter { $0.kind != .protocol }.flatMap(\.inherited)).intersection(Self.allProtocols)
    }

    private static let allProtocols = Set(all.flatMap(\.protocols))

    var imports: Set<String> {
        Set(
            text.split(separator: "\n").filter { $0.contains("import ") && !$0.hasPrefix(" ") && !$0.hasPrefix("/") }
                .compactMap { $0.split(separator: " ").last.map(String.init) })
    }

    /// The part of a line that is neither text nor a comment.
    private static func code(_ line: Substring) -> String {
        var code = ""
        for (index, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            guard index.isMultiple(of: 2) else { continue }
            guard let comment = part.firstRange(of: "//") else {
                code += part + " "
                continue
            }
            return code + part[..<comment.lowerBound]
        }
        return code
    }
}
