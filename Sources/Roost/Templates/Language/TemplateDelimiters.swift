/// The two delimiters that enclose a tag.
struct TemplateDelimiters: Sendable {
    var open: [UInt8]
    var close: [UInt8]

    /// `{{` and `}}`, which hold at the beginning of every file.
    static let standard = TemplateDelimiters(open: Array("{{".utf8), close: Array("}}".utf8))
}
