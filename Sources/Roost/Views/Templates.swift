/// All templates of an application, read and checked at start, and never changed afterwards.
///
/// A template is a file `users/index.mustache` below the folder; its name is `users/index`, for `render` and for other
/// templates (`{{>users/row}}`, `{{<layout}}`). The language is Mustache as mustache/spec 1.4 has it, with inheritance
/// and dynamic names. Names that a page does not have are errors, unless ``MissingNames/empty`` is asked for.
public struct Templates: Sendable {
    static let suffix = ".mustache"

    let program: TemplateProgram
    private let missingNames: MissingNames
    private let limits: TemplateLimits

    /// Reads every `*.mustache` file below a folder.
    ///
    /// - Throws: ``TemplateErrors`` with everything that is wrong in all files, or a ``TemplateError`` when the folder
    ///   cannot be read.
    public init(
        directory: String, missingNames: MissingNames = .error, limits: TemplateLimits = TemplateLimits()
    ) throws {
        let folder = try TemplateFolder(directory)
        try self.init(try folder.sources(), missingNames, limits)
    }

    /// Makes templates of texts by name, for tests.
    ///
    /// - Throws: ``TemplateErrors`` with everything that is wrong in all of them.
    public init(
        sources: [String: String], missingNames: MissingNames = .error, limits: TemplateLimits = TemplateLimits()
    ) throws {
        let sources = sources.sorted { $0.key < $1.key }.map {
            TemplateSource(name: $0.key, file: $0.key + Self.suffix, bytes: Array($0.value.utf8))
        }
        try self.init(sources, missingNames, limits)
    }

    private init(_ sources: [TemplateSource], _ missingNames: MissingNames, _ limits: TemplateLimits) throws {
        let limits = limits.bounded
        program = try TemplateCompiler(
            sources: sources, limits: limits, allowsUnknown: missingNames == .empty
        ).compile()
        self.missingNames = missingNames
        self.limits = limits
    }

    /// The names of all templates, sorted.
    public var names: [String] { program.sources.map(\.name) }

    /// Whether there is a template of this name.
    public func contains(_ name: String) -> Bool { program.templates[name] != nil }

    // MARK: Rendering

    /// Renders a template with a page, any `Encodable`.
    ///
    /// - Throws: a ``TemplateError`` that says which tag of which file failed, or what the page throws when it encodes
    ///   itself.
    public func render(_ name: String, _ page: some Encodable) throws -> [UInt8] {
        let output = ByteBuffer(capacity: 4096)
        try render(name, page, into: output)
        return output.bytes
    }

    /// Renders a template with a page that writes itself.
    public func render(_ name: String, _ page: some TemplateData) throws -> [UInt8] {
        let output = ByteBuffer(capacity: 4096)
        try render(name, page, into: output)
        return output.bytes
    }

    /// Renders a template with a page that could do both, the fast way.
    public func render(_ name: String, _ page: some TemplateData & Encodable) throws -> [UInt8] {
        let output = ByteBuffer(capacity: 4096)
        try render(name, data: page, into: output)
        return output.bytes
    }

    /// Appends the rendered template to what the buffer holds, or nothing when it throws.
    func render(_ name: String, _ page: some Encodable, into output: ByteBuffer) throws {
        try render(name, into: output, skipsUnused: true) { tape in
            try TemplateEncoder(tape: tape, cell: TemplateTape.page).write(page)
        }
    }

    func render(_ name: String, _ page: some TemplateData, into output: ByteBuffer) throws {
        try render(name, data: page, into: output)
    }

    func render(_ name: String, _ page: some TemplateData & Encodable, into output: ByteBuffer) throws {
        try render(name, data: page, into: output)
    }

    private func render(_ name: String, data page: some TemplateData, into output: ByteBuffer) throws {
        try render(name, into: output, skipsUnused: false) { tape in
            page.write(to: TemplateSlot(page: tape))
        }
    }

    private func render(
        _ name: String, into output: ByteBuffer, skipsUnused: Bool, checks: Bool = false,
        _ write: (TemplateTape) throws -> Void
    ) throws {
        guard let template = program.templates[name] else { throw unknown(name) }
        let tape = TemplateTape(names: TemplateNames(program.names), limits: limits, skipsUnused: skipsUnused)
        try write(tape)
        if let failure = tape.failure { throw failure }
        let start = output.count
        do {
            let renderer = TemplateRenderer(
                program, tape, into: output, missingNames: checks ? .error : missingNames, collectsMissing: checks)
            try renderer.render(template: template)
            if !renderer.missing.isEmpty { throw TemplateErrors(errors: renderer.missing.withoutRepetitions()) }
        } catch {
            output.truncate(to: start)
            throw error
        }
    }

    private func unknown(_ name: String) -> TemplateError {
        let advice = ClosestName(to: name).among(names).map { "did you mean \"\($0)\"?" }
        return TemplateError("there is no template \"\(name)\": \(advice ?? "create it or correct the name")")
    }

    // MARK: Checking

    /// Renders a template with a sample of its page and reports all missing names together, for tests.
    ///
    /// - Throws: ``TemplateErrors`` with every name that the page does not have, or whatever `render` throws.
    public func check(_ name: String, _ page: some Encodable) throws {
        try render(name, into: ByteBuffer(), skipsUnused: true, checks: true) { tape in
            try TemplateEncoder(tape: tape, cell: TemplateTape.page).write(page)
        }
    }

    /// Renders a template with a sample of a page that writes itself, and reports all missing names together.
    public func check(_ name: String, _ page: some TemplateData) throws { try check(name, data: page) }

    /// Renders a template with a sample of a page that could do both, and reports all missing names together.
    public func check(_ name: String, _ page: some TemplateData & Encodable) throws { try check(name, data: page) }

    private func check(_ name: String, data page: some TemplateData) throws {
        try render(name, into: ByteBuffer(), skipsUnused: false, checks: true) { tape in
            page.write(to: TemplateSlot(page: tape))
        }
    }
}

extension [TemplateError] {
    /// In reading order, one error for each place.
    fileprivate func withoutRepetitions() -> [TemplateError] {
        var seen: [TemplateLocation] = []
        return inReadingOrder().filter { error in
            guard let place = error.location, seen.last != place else { return false }
            seen.append(place)
            return true
        }
    }
}
