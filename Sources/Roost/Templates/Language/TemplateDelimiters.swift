/// The two marks that tags stand between.
struct TemplateDelimiters: Sendable {
    var open: [UInt8]
    var close: [UInt8]

    /// `{{` and `}}`, which every file begins with.
    static let standard = TemplateDelimiters(open: Array("{{".utf8), close: Array("}}".utf8))
}
