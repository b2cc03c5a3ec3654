import CCmark
import Glibc

/// A text in Markdown, as cmark-gfm reads it: CommonMark 0.29 with GitHub's tables.
///
/// It is used in the function that makes it, and its tree is freed with it.
struct MarkdownDocument: ~Copyable {
    private let root: OpaquePointer
    private let parser: OpaquePointer
    private let extensions: UnsafeMutablePointer<cmark_llist>?

    /// HTML in the text is left out, as are links that could run a script: cmark's default.
    private static let options = CMARK_OPT_DEFAULT | CMARK_OPT_VALIDATE_UTF8

    /// Reads a text; every text is Markdown. nil if there is no memory for it.
    init?(_ text: String) {
        cmark_gfm_core_extensions_ensure_registered()
        guard let parser = cmark_parser_new(Self.options) else { return nil }
        if let tables = cmark_find_syntax_extension("table") { cmark_parser_attach_syntax_extension(parser, tables) }
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        guard let root = cmark_parser_finish(parser) else {
            cmark_parser_free(parser)
            return nil
        }
        self.root = root
        self.parser = parser
        extensions = cmark_parser_get_syntax_extensions(parser)
    }

    deinit {
        cmark_node_free(root)
        cmark_parser_free(parser)
    }

    /// A part of the text that is not inside another one.
    struct Block {
        /// The level of a heading, 1 to 6; nil for any other block.
        let headingLevel: Int?
        /// Its HTML.
        let html: String
        /// The words, without markup.
        let text: String
        /// Whether it is a table, which may be wider than a screen.
        let isTable: Bool
        /// The addresses of its links, in their order.
        let links: [String]
    }

    /// The blocks in their order.
    var blocks: [Block] {
        var blocks: [Block] = []
        var next = cmark_node_first_child(root)
        while let node = next {
            let type = cmark_node_get_type(node)
            blocks.append(
                Block(
                    headingLevel: type == CMARK_NODE_HEADING ? Int(cmark_node_get_heading_level(node)) : nil,
                    html: Self.taken(cmark_render_html(node, Self.options, extensions)),
                    text: Self.taken(cmark_render_plaintext(node, Self.options, 0)),
                    isTable: String(cString: cmark_node_get_type_string(node)) == "table",
                    links: Self.links(in: node)))
            next = cmark_node_next(node)
        }
        return blocks
    }

    /// Gives each link another address; of a link that gets none, only its text is left.
    func mapLinks(_ address: (String) -> String?) {
        Self.forEachLink(in: root) { link, url in
            if let address = address(url) { cmark_node_set_url(link, address) } else { Self.unwrap(link) }
        }
    }

    private static func links(in block: OpaquePointer) -> [String] {
        var links: [String] = []
        forEachLink(in: block) { links.append($1) }
        return links
    }

    /// Calls a function with each link, which it may change or remove, since its end has been reached.
    private static func forEachLink(in node: OpaquePointer, _ body: (OpaquePointer, String) -> Void) {
        guard let iterator = cmark_iter_new(node) else { return }
        defer { cmark_iter_free(iterator) }
        while true {
            let event = cmark_iter_next(iterator)
            if event == CMARK_EVENT_DONE { return }
            guard event == CMARK_EVENT_EXIT, let node = cmark_iter_get_node(iterator),
                cmark_node_get_type(node) == CMARK_NODE_LINK
            else { continue }
            body(node, cmark_node_get_url(node).map { String(cString: $0) } ?? "")
        }
    }

    private static func unwrap(_ link: OpaquePointer) {
        while let child = cmark_node_first_child(link) { cmark_node_insert_before(link, child) }
        cmark_node_unlink(link)
        cmark_node_free(link)
    }

    /// The text that cmark has allocated, which is freed.
    private static func taken(_ text: UnsafeMutablePointer<CChar>?) -> String {
        guard let text else { return "" }
        defer { free(text) }
        return String(cString: text)
    }
}
