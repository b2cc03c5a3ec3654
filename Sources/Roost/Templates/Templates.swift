/// All templates of an application, read and checked at start. They do not change afterwards, unless the folder is
/// reloaded for development.
///
/// A template is a file below the folder. `users/index.mustache` has the name `users/index`, for `render` and for other
/// templates (`{{>users/row}}`, `{{<layout}}`). The language is Mustache as in mustache/spec 1.4, with inheritance and
/// dynamic names; what a ``TemplateLambda`` returns is not parsed again. Names that a page does not have are errors,
/// unless ``MissingNames/empty`` is chosen.
public struct Templates: Sendable {
    static let suffix = ".mustache"

    private let atStart: TemplateProgram
    private let live: LiveTemplates?
    private let missingNames: MissingNames
    private let limits: TemplateLimits

    /// Reads every `*.mustache` file below a folder, except files and folders whose names begin with a dot.
    ///
    /// There may be 10,000 files, of 4 MiB each and 64 MiB together. Folders more than 32 levels down are skipped.
    ///
    /// - Parameters:
    ///   - reloads: Whether each rendering looks for files that were edited, added or removed, and if there are any,
    ///     reads the folder again; by default in development (``Environment``).
    ///   - assets: The files that templates may name, as in `<link rel="stylesheet" href="{{asset("style.css")}}">`;
    ///     without them, that is `/style.css`.
    /// - Throws: ``TemplateErrors`` with what is wrong in all files, each read up to its 20th mistake of syntax, or a
    ///   ``TemplateError`` when the folder cannot be read, or an asset is not there.
    public init(
        directory: String, reloads: Bool? = nil, missingNames: MissingNames = .error,
        limits: TemplateLimits = TemplateLimits(), assets: @autoclosure () throws -> (any AssetFolder)? = nil
    ) throws {
        let folder = try TemplateFolder(directory)
        try self.init(
            try folder.sources(), missingNames, limits,
            reloading: reloads ?? (Environment.current == .development) ? folder : nil, assets: assets())
    }

    /// Makes templates from texts, by name, for tests.
    ///
    /// - Throws: ``TemplateErrors`` with what is wrong in all of them, each read up to its 20th mistake of syntax.
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
        reloading folder: TemplateFolder? = nil, assets: (any AssetFolder)? = nil
    ) throws {
        let limits = limits.bounded
        let compile = { @Sendable (sources: [TemplateSource]) in
            let sources = try sources.map { try $0.naming(assets) }
            let compiler = TemplateCompiler(sources: sources, limits: limits, allowsUnknown: missingNames == .empty)
            return try compiler.compile()
        }
        let program = try compile(sources)
        live = folder.map { LiveTemplates($0, program, compile: compile) }
        atStart = program
        self.missingNames = missingNames
        self.limits = limits
    }

    /// The program to render now: the one made at start, or that of the folder as it is now.
    var program: TemplateProgram {
        get throws { try live?.program() ?? atStart }
    }

    /// These templates as they are now, which later changes in the folder do not touch.
    var frozen: Templates {
        get throws { Templates(try program, missingNames, limits) }
    }

    /// The names of all templates, sorted. While a reloaded folder is broken, those read at start.
    public var names: [String] { known.sources.map(\.name) }

    /// Whether there is a template of this name.
    public func contains(_ name: String) -> Bool { known.templates[ExactText(name)] != nil }

    private var known: TemplateProgram { (try? program) ?? atStart }

    // MARK: Rendering

    /// Renders a template with a page, any `Encodable`. Returns the page in UTF-8.
    ///
    /// - Throws: A ``TemplateError``: there is no such template, a tag fails (with its file and line), or a limit is
    ///   reached. What the page throws when it encodes itself. If the folder is reloaded, what
    ///   ``init(directory:reloads:missingNames:limits:)`` throws.
    public func render(_ name: String, _ page: some Encodable) throws -> [UInt8] {
        try render(name, page, review: nil)
    }

    /// Renders a template with a page that writes itself. Returns the page in UTF-8.
    ///
    /// - Throws: As for an `Encodable` page; also what a ``TemplateLambda`` throws.
    public func render(_ name: String, _ page: some TemplateData) throws -> [UInt8] {
        try render(name, data: page, review: nil)
    }

    /// Renders a template with a page that is `Encodable` and also writes itself; it writes itself, which is faster.
    ///
    /// - Throws: As for a page that only writes itself.
    public func render(_ name: String, _ page: some TemplateData & Encodable) throws -> [UInt8] {
        try render(name, data: page, review: nil)
    }

    /// - Parameter values: Where names are looked up that the page does not have.
    func render(
        _ name: String, _ page: some Encodable, over values: (any Encodable & Sendable)? = nil, review: TemplateReview?
    ) throws -> [UInt8] {
        try render(name, skipsUnused: true, values, review) { tape in
            try TemplateEncoder(tape: tape, cell: TemplateTape.page).write(page)
        }
    }

    func render(
        _ name: String, data page: some TemplateData, over values: (any Encodable & Sendable)? = nil,
        review: TemplateReview?
    ) throws -> [UInt8] {
        try render(name, skipsUnused: false, values, review) {
            page.write(to: TemplateSlot(tape: $0, root: TemplateTape.page))
        }
    }

    private func render(
        _ name: String, skipsUnused: Bool, _ values: (any Encodable & Sendable)?, _ review: TemplateReview?,
        _ write: (TemplateTape) throws -> Void
    ) throws -> [UInt8] {
        let program = try program
        guard let template = program.templates[ExactText(name)] else { throw unknown(name, in: program) }
        return try TemplateWorkspace.use(for: program, limits) { workspace in
            let tape = workspace.tape
            tape.skipsUnused = skipsUnused
            try write(tape)
            var root = try values.map { try tape.write(root: $0) }
            // A lambda's text may show any field. The few pages with one are written anew, with all fields.
            if tape.hasSkipped, tape.hasLambdas {
                _ = tape.clear()
                tape.skipsUnused = false
                try write(tape)
                root = try values.map { try tape.write(root: $0) }
            }
            if let failure = tape.failure { throw failure }
            let renderer = TemplateRenderer(
                workspace, over: root, missingNames: review == nil ? missingNames : .error, review: review)
            try renderer.render(template: template)
            return workspace.output.bytes
        }
    }

    private func unknown(_ name: String, in program: TemplateProgram) -> TemplateError {
        let advice = ClosestName(to: name).among(program.sources.map(\.name)).map { "did you mean \"\($0)\"?" }
        return TemplateError("there is no template \"\(name)\": \(advice ?? "create it or correct the name")")
    }
}
