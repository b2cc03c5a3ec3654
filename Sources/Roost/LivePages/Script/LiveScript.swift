/// The script of live pages: it keeps what a page shows as the server has it, and sends forms and links marked
/// `data-live` without leaving the page.
///
/// Each part holds one idea, and all share one function's scope. Every page works without the script.
package enum LiveScript {
    /// The script as it is served: without comments, indentation, and, within its function, spaces, line breaks and
    /// semicolons that mean nothing. A comment is a line of its own, or begins with a space, two slashes and a space,
    /// which are in no string. A space beside a sign, or before a closing brace, means nothing in a string either: only
    /// the selectors have such. A semicolon before a closing brace is in no string, and ends no `for`, `while` or `if`
    /// without a body; and a plus or minus has no other one beside it, as in `a - -b`. A line that begins with an
    /// operator or a closing sign goes on with the one before. And `const`, which is in no other word, is served as
    /// `let`: with one word for both, the script is shorter when it is compressed.
    package static let text = served(source)

    /// The script as it is written.
    static let source =
        head + page + morphing + matching + actions + refreshing + sharing + stream + visits + forms + start

    private static func served(_ source: String) -> String {
        let (space, slash) = (UInt8(ascii: " "), UInt8(ascii: "/"))
        let signs = Array("=!<>+-?:&|{(),;".utf8), ends = signs + "}".utf8
        var text: [UInt8] = []
        for line in Array(source.utf8).split(separator: UInt8(ascii: "\n")) {
            let isIndented = line.first == space
            var line = line.drop { $0 == space }
            if line.starts(with: "//".utf8) { continue }
            let comment = line.indices.dropFirst().first {
                line[$0] == slash && line[$0 - 1] == space && line[$0...].starts(with: "// ".utf8)
            }
            if let comment { line = line[..<comment] }
            guard let first = line.first, let end = line.lastIndex(where: { $0 != space }) else { continue }
            if text.last == UInt8(ascii: "\n"), "?:&|)}".utf8.contains(first) { text.removeLast() }
            for index in line.startIndex...end {
                let isSpace = isIndented && line[index] == space
                if isSpace, signs.contains(line[index - 1]) || ends.contains(line[index + 1]) { continue }
                if line[index] == UInt8(ascii: "}"), text.last == UInt8(ascii: ";") { text.removeLast() }
                text.append(line[index])
            }
            if !";{},(>".utf8.contains(line[end]) { text.append(UInt8(ascii: "\n")) }
        }
        return String(decoding: text, as: UTF8.self).replacing("const", with: "let") + "\n"
    }

    private static let head = #"""
        // Keeps live pages as the server has them. Regions are elements with an id and data-live. Forms and links with
        // data-live are sent without leaving the page. The page works without this file.
        "use strict";

        (() => {
          const script = document.currentScript;
          if (!script || !Map.groupBy) return; // of browsers since 2024; in others, pages work as without this file

        """#

    private static let start = #"""

          // MARK: Start

          settle(script);
          watch();
        })();

        """#
}
