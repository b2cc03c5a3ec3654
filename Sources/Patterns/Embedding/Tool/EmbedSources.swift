import FoundationEssentials

/// `EmbedSources OUTPUT FILE…` writes one Swift file that has the text of the others.
@main
struct EmbedSources {
    static func main() throws {
        let paths = CommandLine.arguments.dropFirst()
        guard let output = paths.first else { return }
        let files = try paths.dropFirst().map { path in
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // The path below `Sources/Patterns/`.
            let name = path.split(separator: "/Patterns/").last ?? ""
            return "        (\"\(name)\", \(marks)\"\"\"\n\(text)\n\"\"\"\(marks)),\n"
        }
        let source = """
            enum EmbeddedFiles {
                static let all: [(path: String, text: String)] = [
            \(files.joined())    ]
            }

            """
        try Data(source.utf8).write(to: URL(filePath: output))
    }

    /// More than any file has, so that all of its text stays text.
    private static let marks = "########"
}
