/// A source or a diagram of the patterns, as it was when the program was built.
struct SourceFile: Encodable, Sendable {
    /// Its path below `Sources/Patterns/`: `MVP/Login/LoginPresenter.swift`.
    let path: String
    let text: String
    /// Its name without suffix: `LoginPresenter`.
    let name: String
    /// Its lines of code: without blank ones, and without those that are comments only.
    let lineCount: Int

    static let all = EmbeddedFiles.all.map { SourceFile(path: $0.path, text: $0.text) }

    private init(path: String, text: String) {
        self.path = path
        self.text = text
        name = String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "")
        lineCount = Self.code(text).count
    }

    /// The number of protocols that the file declares.
    var protocolCount: Int { Self.code(text).count { $0.hasPrefix("protocol ") } }

    /// Whether a test needs neither a request nor a page for it.
    var isWithoutHTTP: Bool {
        !Self.code(text).contains { $0.hasSuffix("import Roost") || $0.hasSuffix("import PatternScreens") }
    }

    private static func code(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { line in
            let start = line.drop { $0 == " " }
            return !start.isEmpty && !start.hasPrefix("//")
        }
    }
}
