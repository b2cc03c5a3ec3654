/// A function that a template calls with the content of a section.
///
/// The text that it returns is written unchanged for `{{#name}}…{{/name}}`, and escaped for `{{name}}`. It is not
/// parsed as a template, unlike in the Mustache specification, so tags in data that a lambda passes on stay text.
///
/// ```swift
/// TemplateLambda { section in "<b>" + (try section.render()) + "</b>" }
/// ```
public struct TemplateLambda: Encodable {
    let body: (TemplateSection) throws -> String

    /// Creates a lambda from a function.
    public init(_ body: @escaping (TemplateSection) throws -> String) {
        self.body = body
    }

    /// Hands the function over to ``Templates``.
    /// - Throws: `EncodingError` for any other encoder: only a template can use a function.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? TapeEncoder { return try encoder.encode(function: self) }
        throw EncodingError.invalidValue(
            self, .init(codingPath: encoder.codingPath, debugDescription: "A TemplateLambda is for templates only."))
    }
}

/// The argument of a lambda: the content of the section, and a way to render it before the lambda returns.
public struct TemplateSection {
    /// The content as it is written in the template, tags included; empty if the lambda is called by `{{name}}`.
    public let text: String
    fileprivate let renderer: TemplateRenderer
    fileprivate let delimiters: TemplateDelimiters
    /// The first instruction of the content; nil if the lambda is called by `{{name}}`.
    fileprivate let body: Int?

    /// Renders the content, with the names that are in scope where the section stands.
    /// - Throws: A ``TemplateError``: a tag fails, a limit is reached, or the rendering of the page is over.
    public func render() throws -> String {
        try body.map { try renderer.render(section: $0, of: renderer.context.current) } ?? ""
    }

    /// Renders other template text as if it stood in the section, with its delimiters and the names in scope.
    /// - Throws: As ``render()`` does, and for a mistake in the text.
    public func render(_ text: String) throws -> String { try renderer.render(text, delimiters: delimiters) }
}

// MARK: - Calling lambdas

/// The content of a section is rendered by its own instructions. Other text is compiled when a lambda asks for it, onto
/// the end of a copy of the program, so it can include every template. A renderer of its own renders either, with
/// copies of the context and the call stack.
extension TemplateRenderer {
    /// Renders a section's list if there are lambdas among its elements; each gets the section's content. `false` if
    /// none.
    func enterLambdas(of list: UInt32, _ source: UInt32) throws -> Bool {
        let elements = tape.members(of: list)
        guard elements.contains(where: { tape.cells[Int($0)].kind == .function }) else { return false }
        let section = program.tables.sections[Int(source)]
        for element in elements {
            if tape.cells[Int(element)].kind == .function {
                try callLambda(tape.cells[Int(element)], section)
            } else {
                output.append(try render(section: position + 1, of: element))
            }
        }
        return true
    }

    /// Writes what a lambda makes of a section.
    func callLambda(_ value: TapeCell, _ section: TemplateSectionSource) throws {
        output.append(try result(of: value, section))
        try checkSize()
    }

    /// Returns the text that a lambda makes of a section, or of nothing.
    func result(of value: TapeCell, _ section: TemplateSectionSource? = nil) throws -> String {
        guard let lambda = tape.functions[Int(value.payload)] as? TemplateLambda else { return "" }
        let text = section.map { String(decoding: program.tables.sources[$0.template].bytes[$0.range], as: UTF8.self) }
        return try lambda.body(
            TemplateSection(
                text: text ?? "", renderer: self, delimiters: section?.delimiters ?? .standard,
                body: section.map { _ in position + 1 }))
    }

    /// Renders the content of a section whose value is in a cell.
    fileprivate func render(section body: Int, of cell: UInt32) throws -> String {
        try inside(program) { try $0.render(section: body, cell) }
    }

    /// Renders template text as if it stood in the section that a lambda was called for.
    fileprivate func render(_ text: String, delimiters: TemplateDelimiters) throws -> String {
        try inside(try link(text, delimiters), startsLine: false) { renderer in
            defer { renderer.steps &+= renderer.program.tables.positions.count }
            try renderer.render(template: renderer.program.tables.entries.count - 1)
        }
    }

    private func inside(
        _ program: @autoclosure () throws -> TemplateProgram, startsLine: Bool = true,
        _ render: (TemplateRenderer) throws -> Void
    ) throws -> String {
        guard isRunning else {
            throw TemplateError("this section is no longer being rendered: render it before the lambda returns")
        }
        guard lambdaDepth < limits.lambdas else {
            throw error("more than \(limits.lambdas) lambdas are open: end their recursion earlier")
        }
        let renderer = TemplateRenderer(try program(), inside: self, startsLine: startsLine)
        defer { steps = renderer.steps }
        try render(renderer)
        return String(decoding: renderer.output.written, as: UTF8.self)
    }

    private func link(_ text: String, _ delimiters: TemplateDelimiters) throws -> TemplateProgram {
        guard text.utf8.count <= TemplateCompiler.maximumSize else { throw tooLarge() }
        let source = TemplateSource(name: "", file: "(text of a lambda)", bytes: Array(text.utf8))
        let builder = TemplateBuilder(extending: program, names: tape.names)
        var parser = TemplateParser(
            source, into: builder, limits: limits, assets: program.assets, delimiters: delimiters)
        parser.parse()
        if let error = parser.errors.first { throw error }
        let missing = parser.facts.references.first { program.tables.templates[ExactText($0.name)] == nil }
        if missingNames == .error, let missing {
            let message = missing.unknown(among: program.tables.sources, file: "it")
            throw TemplateError(message, at: source.location(of: missing.offset), includedFrom: trail)
        }
        return TemplateProgram(parser.builder, assets: program.assets)
    }
}
