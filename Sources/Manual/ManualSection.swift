/// A heading of a page with what stands below it, up to the next heading.
package struct ManualSection: Sendable {
    /// The level of the heading, 1 to 6.
    package let level: Int
    /// The heading, without markup.
    package let heading: String
    /// The fragment of its URL, unique in its page.
    package let anchor: String
    /// The words below the heading, without markup.
    package internal(set) var text = ""
    /// The addresses of the links below the heading, in their order.
    package internal(set) var links: [String] = []
}

/// Gives headings their anchors, as GitHub does: letters in lower case, digits, `-` and `_`, a hyphen for each blank,
/// and a number behind an anchor that a page has already: the lowest that makes it another one.
struct HeadingAnchors {
    private var taken: Set<String> = []

    mutating func anchor(of heading: String) -> String {
        var anchor = ""
        for scalar in heading.lowercased().unicodeScalars {
            if scalar == " " {
                anchor.append("-")
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "-_".unicodeScalars.contains(scalar)
            {
                anchor.unicodeScalars.append(scalar)
            }
        }
        var (unique, count) = (anchor, 0)
        while !taken.insert(unique).inserted {
            count += 1
            unique = "\(anchor)-\(count)"
        }
        return unique
    }
}
