/// The script of live pages: it keeps what a page shows as the server has it, and sends forms and links marked
/// `data-live` without leaving the page.
///
/// Each part holds one idea, and all share one function's scope. Every page works without the script.
package enum LiveScript {
    /// The script as it is served: without comments, indentation, and line breaks that mean nothing. A comment is a
    /// line of its own, or begins with a space, two slashes and a space, which are in no string.
    package static let text = served(source)

    /// The script as it is written.
    static let source =
        head + page + morphing + matching + actions + refreshing + sharing + stream + visits + forms + start

    private static func served(_ source: String) -> String {
        var text = ""
        for line in source.split(separator: "\n") {
            var line = line.drop { $0 == " " }
            if let comment = line.firstRange(of: " // ") { line = line[..<comment.lowerBound] }
            while line.last == " " { line.removeLast() }
            guard let end = line.last, !line.hasPrefix("//") else { continue }
            text += line + (";{},".contains(end) ? "" : "\n")
        }
        return text + "\n"
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
