/// Turns sources into one program, or into the list of what is wrong with them.
struct TemplateCompiler {
    let sources: [TemplateSource]
    let limits: TemplateLimits
    /// Whether templates may name partials and blocks that do not exist.
    let allowsUnknown: Bool
    /// The files that templates may name.
    let assets: (any AssetFolder)?

    /// The most bytes that all templates may have together, so that offsets fit into 32 bits.
    static let maximumSize = 64 << 20

    func compile() throws(TemplateErrors) -> TemplateProgram {
        guard sources.reduce(0, { $0 + $1.bytes.count }) <= Self.maximumSize else {
            throw TemplateErrors(errors: [TemplateError("the templates have more than \(Self.maximumSize) bytes")])
        }
        var builder = TemplateBuilder(templates: sources.map(\.name))
        var facts: [TemplateFacts] = []
        var errors: [TemplateError] = []
        for source in sources {
            var parser = TemplateParser(source, into: builder, limits: limits, assets: assets)
            // The parser has the only reference to the tables now, so that they grow without a copy.
            builder = TemplateBuilder(templates: [])
            parser.parse()
            builder = parser.builder
            facts.append(parser.facts)
            errors += parser.errors
        }
        errors += TemplateChecks(tables: builder.tables, facts: facts, allowsUnknown: allowsUnknown).run()
        guard errors.isEmpty else { throw TemplateErrors(errors: errors.inReadingOrder()) }
        return TemplateProgram(builder, assets: assets)
    }
}

extension [TemplateError] {
    /// Sorted by file, line and column.
    func inReadingOrder() -> [TemplateError] {
        sorted { first, second in
            guard let first = first.location, let second = second.location else { return first.location == nil }
            return (first.file, first.line, first.column) < (second.file, second.line, second.column)
        }
    }
}
