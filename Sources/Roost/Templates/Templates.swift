/// All templates of an application, read and checked at start, and never changed afterwards.
///
/// A template is a file `users/index.mustache` below the folder; its name is `users/index`, for `render` and for other
/// templates (`{{>users/row}}`, `{{<layout}}`). The language is Mustache as mustache/spec 1.4 has it, with inheritance
/// and dynamic names. Names that a page does not have are errors, unless ``MissingNames/empty`` is asked for.
public struct Templates: Sendable {
    static let suffix = ".mustache"

    private let atStart: TemplateProgram
    private let live: LiveTemplates?
    private let missingNames: MissingNames
    private let limits: TemplateLimits

    /// Reads every `*.mustache` file below a folder.
    ///
    /// - Parameter reloads: Whether each rendering looks for files that were edited, added or removed, and reads them
    ///   again; by default in development (``Environment``). Without it the folder is not looked at again.
    /// - Throws: ``TemplateErrors`` with everything that is wrong in all files, or a ``TemplateError`` when the folder
    ///   cannot be read.
    public init(
        directory: String, reloads: Bool? = nil, missingNames: MissingNames = .error,
        limits: TemplateLimits = TemplateLimits()
    ) throws {
        let folder = try TemplateFolder(directory)
        try self.init(
            try folder.sources(), missingNames, limits,
            reloading: reloads ?? (Environment.current == .development) ? folder : nil)
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

    private init(_ program: TemplateProgram, _ missingNames: MissingNames, _ limits: TemplateLimits) {
        atStart = program
        live = nil
        self.missingNames = missingNames
        self.limits = limits
    }

    private init(
        _ sources: [TemplateSource], _ missingNames: MissingNames, _ limits: TemplateLimits,
        reloading folder: TemplateFolder? = nil
    ) throws {
        let limits = limits.bounded
        let compile = { @Sendable (sources: [TemplateSource]) in
            try TemplateCompiler(sources: sources, limits: limits, allowsUnknown: missingNames == .empty).compile()
        }
        let program = try compile(sources)
        live = folder.map { LiveTemplates($0, program, compile: compile) }
        atStart = program
        self.missingNames = missingNames
        self.limits = limits
    }

    /// What is rendered now: what was read at start, unless the folder is looked at again.
    var program: TemplateProgram {
        get throws { try live?.program() ?? atStart }
    }

    /// The same as they are now, whatever becomes of the folder.
    var frozen: Templates {
        get throws { Templates(try program, missingNames, limits) }
    }

    /// The names of all templates, sorted.
    public var names: [String] { known.sources.map(\.name) }

    /// Whether there is a template of this name.
    public func contains(_ name: String) -> Bool { known.templates[name] != nil }

    private var known: TemplateProgram { (try? program) ?? atStart }

    // MARK: Rendering

    /// Renders a template with a page, any `Encodable`.
    ///
    /// - Throws: a ``TemplateError`` that says which tag of which file failed, or what the page throws when it encodes
    ///   itself.
    public func render(_ name: String, _ page: some Encodable) throws -> [UInt8] {
        try render(name, page, review: nil)
    }

    /// Renders a template with a page that writes itself.
    ///
    /// - Throws: a ``TemplateError`` that says which tag of which file failed.
    public func render(_ name: String, _ page: some TemplateData) throws -> [UInt8] {
        try render(name, data: page, review: nil)
    }

    /// Renders a template with a page that could do both, the fast way.
    ///
    /// - Throws: a ``TemplateError`` that says which tag of which file failed.
    public func render(_ name: String, _ page: some TemplateData & Encodable) throws -> [UInt8] {
        try render(name, data: page, review: nil)
    }

    /// - Parameter values: Names that the page does not have are looked up in these.
    func render(
        _ name: String, _ page: some Encodable, over values: (any Encodable)? = nil, review: TemplateReview?
    ) throws -> [UInt8] {
        try render(name, skipsUnused: true, values, review) { tape in
            try TemplateEncoder(tape: tape, cell: TemplateTape.page).write(page)
        }
    }

    func render(
        _ name: String, data page: some TemplateData, over values: (any Encodable)? = nil, review: TemplateReview?
    ) throws -> [UInt8] {
        try render(name, skipsUnused: false, values, review) {
            page.write(to: TemplateSlot(tape: $0, root: TemplateTape.page))
        }
    }

    private func render(
        _ name: String, skipsUnused: Bool, _ values: (any Encodable)?, _ review: TemplateReview?,
        _ write: (TemplateTape) throws -> Void
    ) throws -> [UInt8] {
        let program = try program
        guard let template = program.templates[name] else { throw unknown(name, in: program) }
        // A type that writes itself may contain a lambda.
        let skipsUnused = skipsUnused && !(values is any TemplateData)
        let tape = TemplateTape(names: TemplateNames(program.names), limits: limits, skipsUnused: skipsUnused)
        defer { tape.containers.forget() }  // they refer to the tape
        try write(tape)
        let root = try values.map { try tape.write(root: $0) }
        if let failure = tape.failure { throw failure }
        let renderer = TemplateRenderer(
            program, tape, over: root, missingNames: review == nil ? missingNames : .error, review: review)
        try renderer.render(template: template)
        return renderer.output.bytes
    }

    private func unknown(_ name: String, in program: TemplateProgram) -> TemplateError {
        let advice = ClosestName(to: name).among(program.sources.map(\.name)).map { "did you mean \"\($0)\"?" }
        return TemplateError("there is no template \"\(name)\": \(advice ?? "create it or correct the name")")
    }
}
