/// A page of the manual, made from a file in Markdown.
package struct ManualPage: Sendable {
    /// The name of the file without its suffix, which ends the page's URL; empty for the front page.
    package let name: String
    /// The first heading, without markup.
    package let title: String
    /// The page as HTML that is safe to show: it has no HTML of the file's own.
    package let html: String
    /// The headings in their order, each with the words below it.
    package let sections: [ManualSection]
    /// The path of the page in a site.
    package var path: String { Manual.path(of: name) }

    /// - Parameter address: The address in the site for one in the file; nil for one that the site does not have.
    init?(name: String, markdown: String, address: (String) -> String?) {
        guard let document = MarkdownDocument(markdown) else { return nil }
        document.mapLinks(address)
        var html = ""
        var sections: [ManualSection] = []
        var anchors = HeadingAnchors()
        for block in document.blocks {
            if let level = block.headingLevel {
                let heading = block.text.split(whereSeparator: \.isNewline).joined(separator: " ")
                let section = ManualSection(level: level, heading: heading, anchor: anchors.anchor(of: heading))
                sections.append(section)
                html += Self.heading(block.html, section)
            } else {
                if !sections.isEmpty {
                    sections[sections.count - 1].text += block.text
                    sections[sections.count - 1].links += block.links
                }
                html += block.isTable ? "<div class=\"scroll\" tabindex=\"0\">\(block.html)</div>\n" : block.html
            }
        }
        self.name = name
        self.html = html
        self.sections = sections
        title = sections.first?.heading ?? name
    }

    /// The heading with its anchor, which is also a link to itself. Letters, digits, `-` and `_` need no escaping.
    private static func heading(_ html: String, _ section: ManualSection) -> String {
        let start = "<h\(section.level)>"
        guard section.level > 1, html.hasPrefix(start) else { return html }
        return "<h\(section.level) id=\"\(section.anchor)\">" + html.dropFirst(start.count)
    }
}
