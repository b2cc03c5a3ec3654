import FoundationEssentials
import Roost

/// The manual: the Markdown files of a folder as pages of a site.
package struct Manual: Sendable {
    /// A link of the contents.
    package struct Entry: Sendable {
        /// The page that it leads to.
        package let page: ManualPage
    }

    /// A part of the contents: a heading of the front page, with the links below it.
    package struct Part: Sendable {
        /// The heading.
        package let title: String
        /// The links.
        package let entries: [Entry]
    }

    /// The path of the front page.
    package static let path = "/manual"

    /// All pages by their names; the front page's name is empty.
    package let pages: [String: ManualPage]
    /// The contents: the parts of the front page that have links to pages.
    package let parts: [Part]

    /// Reads all files of a folder, `*.md`, of which `README.md` is the front page.
    /// - Throws: `StartError` if the folder or a file cannot be read, or there is no front page.
    package init(folder: String) throws {
        var pages: [String: ManualPage] = [:]
        for name in try Self.names(in: folder) {
            let pageName = name == "README" ? "" : name
            pages[pageName] = try ManualPage(name: pageName, markdown: Self.text("\(folder)/\(name).md")) {
                Self.address($0)
            }
        }
        self.pages = pages
        parts = pages[""].map { Self.parts(of: $0, pages) } ?? []
    }

    /// Returns the page of a name; nil if there is none.
    package func page(_ name: String) -> ManualPage? { name.isEmpty ? nil : pages[name] }

    /// The front page.
    package var front: ManualPage? { pages[""] }

    static func path(of name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }

    /// The names of the files, without their suffix.
    /// - Throws: `StartError` if the folder cannot be read, or has no front page.
    static func names(in folder: String) throws -> [String] {
        guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw StartError.configuration(
                "The manual's folder \(folder) cannot be read. Copy docs/ there, or set ROOT to the folder that has it."
            )
        }
        guard files.contains("README.md") else {
            throw StartError.configuration(
                "The manual's folder \(folder) has no README.md. Add it, or set ROOT to the folder with docs/.")
        }
        return files.filter { $0.hasSuffix(".md") && !$0.hasPrefix(".") }.map { String($0.dropLast(3)) }.sorted()
    }

    private static func text(_ path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StartError.configuration("The manual's file \(path) cannot be read; make it readable.")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns the address in the site for a link of a file; nil for a folder, and for a file outside
    /// the manual's folder: the site has neither.
    static func address(_ link: String) -> String? {
        // With a scheme it is an address elsewhere, unless cmark refuses it.
        if link.hasPrefix("#") || link.prefix(while: { $0 != "/" }).contains(":") { return link }
        guard !link.hasPrefix("/"), !link.hasPrefix("../"), !link.hasSuffix("/") else { return nil }
        let file = link.prefix { $0 != "#" }
        let fragment = link.dropFirst(file.count)
        guard file.hasSuffix(".md") else { return "\(path)/files/\(link)" }
        let name = file == "README.md" ? "" : String(file.dropLast(3))
        return path(of: name) + fragment
    }

    private static func parts(of front: ManualPage, _ pages: [String: ManualPage]) -> [Part] {
        front.sections.compactMap { section in
            let entries = section.links.compactMap { link -> Entry? in
                guard link.hasPrefix(path + "/"), let page = pages[String(link.dropFirst(path.count + 1))] else {
                    return nil
                }
                return Entry(page: page)
            }
            return entries.isEmpty ? nil : Part(title: section.heading, entries: entries)
        }
    }
}
