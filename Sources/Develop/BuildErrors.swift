/// The compiler's messages about a build that has failed.
enum BuildErrors {
    /// Each error once, as a block of lines, with paths within the package; the whole output if it has no errors.
    static func lines(in output: String, package: String) -> [String] {
        let all = output.split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0).replacing(package + "/", with: "")
        }
        var blocks: [[String]] = []
        var isInside = false
        for line in all {
            if isHead(line) {
                blocks.append([line])
                isInside = true
            } else if line.hasPrefix("[") || line.hasPrefix("error: ") || isHead(line, of: "warning") {
                isInside = false
            } else if isInside {
                blocks[blocks.count - 1].append(line)
            }
        }
        // The compiler may show the same error with more or fewer lines around it.
        var seen: Set<String> = []
        let errors = blocks.filter { seen.insert($0[0]).inserted }.flatMap { $0 }
        return errors.isEmpty ? all : errors
    }

    /// Whether an error, or a warning, begins with this line, which says where it is, and what it is.
    static func isHead(_ line: String, of kind: String = "error") -> Bool {
        !line.hasPrefix(" ") && !line.hasPrefix("|") && line.contains(".swift:") && line.contains(": \(kind): ")
    }
}
