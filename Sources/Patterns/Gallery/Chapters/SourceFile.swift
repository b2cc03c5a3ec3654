/// A source or a diagram of the patterns, as it was when the program was built.
struct SourceFile: Sendable {
    /// Its path below `Sources/Patterns/`: `MVP/Login/LoginPresenter.swift`.
    let path: String
    let text: String

    static let all = EmbeddedFiles.all.map { SourceFile(path: $0.path, text: $0.text) }

    /// Its name without suffix: `LoginPresenter`.
    var name: String { String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "") }

    /// Its lines of code: without blank ones, and without those that are comments only.
    var lineCount: Int { code.count }

    /// The number of protocols that the file declares.
    var protocolCount: Int { code.count { $0.hasPrefix("protocol ") } }

    /// Whether a test needs neither a request nor a page for it.
    var isWithoutHTTP: Bool { !code.contains { $0.hasSuffix("import Roost") || $0.hasSuffix("import PatternScreens") } }

    private var code: [Substring] {
        text.split(separator: "\n").filter { line in
            let start = line.drop { $0 == " " }
            return !start.isEmpty && !start.hasPrefix("//")
        }
    }
}
