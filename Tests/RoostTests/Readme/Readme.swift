import Glibc
import Processes

/// The README, and the files that it mentions.
enum Readme {
    /// The package's folder.
    static let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }

    static let text = contents("README.md")

    /// The text of a file of the package; empty when there is none.
    static func contents(_ path: String) -> String {
        guard let file = fopen(root + "/" + path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The variables of `.env.example`, with their values there, commented out or not.
    static var exampleVariables: [String: String] { (try? ExampleSettings.variables()) ?? [:] }

    /// The programs of a page that are in none of the sources, and how many programs it has. In a source, they may
    /// stand one level deeper.
    static func programs(of page: String, missingIn sources: [String]) -> (count: Int, missing: [String]) {
        let sources = sources.map { contents("Tests/RoostTests/\($0).swift") }
        let blocks = contents(page).components(between: "```swift\n", and: "```")
        let missing = blocks.filter { block in
            let indented = block.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
            return !sources.contains { $0.contains(block) || $0.contains(indented) }
        }
        return (blocks.count, missing)
    }

    /// The code blocks of a language, in order.
    static func blocks(_ language: String) -> [String] {
        text.components(between: "```\(language)\n", and: "```")
    }
}

extension String {
    /// The text between each pair of marks, in order.
    func components(between start: String, and end: String) -> [String] {
        var found: [String] = []
        var rest = Substring(self)
        while let begin = rest.firstRange(of: start), let stop = rest[begin.upperBound...].firstRange(of: end) {
            found.append(String(rest[begin.upperBound..<stop.lowerBound]))
            rest = rest[stop.upperBound...]
        }
        return found
    }
}
