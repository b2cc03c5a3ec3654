/// Calling lambdas, and rendering template text for them.
///
/// Such text is compiled when a lambda asks for it, onto the end of a copy of the program, so it can include every
/// template. A renderer of its own renders it, with copies of the context and the call stack.
extension TemplateRenderer {
    /// Renders a section's list if there are lambdas among its elements; each gets the section's text. `false` if none.
    func enterLambdas(of list: UInt32, _ source: UInt32) throws -> Bool {
        let elements = tape.members(of: list)
        guard elements.contains(where: { tape.cells[Int($0)].kind == .function }) else { return false }
        let section = program.sections[Int(source)]
        for element in elements {
            if tape.cells[Int(element)].kind == .function {
                try callLambda(tape.cells[Int(element)], section)
            } else {
                try push(element, isLoop: false)
                output.append(try render(text(of: section), delimiters: section.delimiters))
                _ = context.advance()
            }
        }
        return true
    }

    private func text(of section: TemplateSectionSource) -> String {
        String(decoding: program.sources[section.template].bytes[section.range], as: UTF8.self)
    }

    /// Writes what a lambda makes of a section.
    func callLambda(_ value: TapeCell, _ section: TemplateSectionSource) throws {
        output.append(try result(of: value, text(of: section), section.delimiters))
        try checkSize()
    }

    /// Returns the text that a lambda makes of a section's text.
    func result(of value: TapeCell, _ text: String, _ delimiters: TemplateDelimiters) throws -> String {
        guard let lambda = tape.functions[Int(value.payload)] as? TemplateLambda else { return "" }
        return try lambda.body(TemplateSection(text: text, renderer: self, delimiters: delimiters))
    }

    /// Renders template text as if it stood in the section that a lambda was called for.
    func render(_ text: String, delimiters: TemplateDelimiters) throws -> String {
        guard isRunning else {
            throw TemplateError("this section is no longer being rendered: render it before the lambda returns")
        }
        guard lambdaDepth < limits.lambdas else {
            throw error("more than \(limits.lambdas) lambdas are open: end their recursion earlier")
        }
        let renderer = TemplateRenderer(try link(text, delimiters), inside: self)
        defer { finish(renderer) }
        try renderer.render(template: renderer.program.entries.count - 1)
        return String(decoding: renderer.output.written, as: UTF8.self)
    }

    private func link(_ text: String, _ delimiters: TemplateDelimiters) throws -> TemplateProgram {
        guard text.utf8.count <= TemplateCompiler.maximumSize else { throw tooLarge() }
        let source = TemplateSource(name: "", file: "(text of a lambda)", bytes: Array(text.utf8))
        let builder = TemplateBuilder(extending: program, names: tape.names)
        var parser = TemplateParser(source, into: builder, limits: limits, delimiters: delimiters)
        parser.parse()
        if let error = parser.errors.first { throw error }
        tape.names = parser.builder.names
        return TemplateProgram(parser.builder)
    }
}
