/// All templates of an application, read and checked at start. They do not change afterwards, unless the folder is
/// reloaded for development.
///
/// A template is a file below the folder. `users/index.mustache` has the name `users/index`, for `render` and for other
/// templates (`{{>users/row}}`, `{{<layout}}`). The language is Mustache as in mustache/spec 1.4, with inheritance and
/// dynamic names; what a ``TemplateLambda`` returns is not parsed again. Names that a page does not have are errors,
/// unless ``MissingNames/empty`` is chosen.
public struct Templates: Sendable {
    static let suffix = ".mustache"

    private var atStart: TemplateProgram
    private var live: LiveTemplates?
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
    /// - Throws: ``TemplateErrors`` with the mistakes in all files, such as a missing asset, at most 20 for each file;
    ///   a ``TemplateError`` when the folder cannot be read.
    public init(
        directory: String, reloads: Bool? = nil, missingNames: MissingNames = .error,
        limits: TemplateLimits = TemplateLimits(), assets: @autoclosure () throws -> (any AssetFolder)? = nil
    ) throws {
        try self.init(
            try TemplateFolder(directory).sources(), missingNames, limits,
            reloading: reloads ?? (Environment.current == .development) ? directory : nil, assets: assets())
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

    private init(
        _ sources: [TemplateSource], _ missingNames: MissingNames, _ limits: TemplateLimits,
        reloading directory: String? = nil, assets: (any AssetFolder)? = nil
    ) throws {
        let limits = limits.bounded
        let compile = { @Sendable (sources: [TemplateSource]) in
            try TemplateCompiler(
                sources: sources, limits: limits, allowsUnknown: missingNames == .empty, assets: assets
            ).compile()
        }
        let program = try compile(sources)
        live = directory.map { LiveTemplates($0, sources, program, compile: compile) }
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
        get throws {
            var copy = self
            (copy.atStart, copy.live) = (try program, nil)
            return copy
        }
    }

    /// The names of all templates, sorted. While a reloaded folder is broken, those read at start.
    package var names: [String] { known.tables.sources.map(\.name) }

    /// Whether there is a template of this name.
    package func contains(_ name: String) -> Bool { known.tables.templates[ExactText(name)] != nil }

    /// The texts of all tags such as `{{t "Sign in"}}`, each once, in the order of their bytes: a table of another
    /// language should translate them.
    public var texts: [String] {
        Set(known.tables.translations.map { ExactText($0.text) }).map(\.text).filter { !$0.isEmpty }.sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
    }

    /// Whether any of them has the tag `{{liveScript}}`.
    var haveLiveScript: Bool { known.hasLiveScript }

    private var known: TemplateProgram { (try? program) ?? atStart }

    // MARK: Rendering

    /// Renders a template with a page, any `Encodable`. Returns the page in UTF-8.
    ///
    /// - Throws: A ``TemplateError``: there is no such template, a tag fails (with its file and line), or a limit is
    ///   reached. Any error of the page when it encodes itself, or of a ``TemplateLambda`` when it is called. If the
    ///   folder is reloaded, those of ``init(directory:reloads:missingNames:limits:)``.
    public func render(_ name: String, _ page: some Encodable) throws -> [UInt8] {
        try render(name, page, review: nil)
    }

    /// - Parameters:
    ///   - values: The values among which names are looked up that the page does not have.
    ///   - liveScript: The element that `{{liveScript}}` writes.
    ///   - messages: The language, with its texts of `{{t "…"}}`; nil for English.
    func render(
        _ name: String, _ page: some Encodable, over values: (any Encodable & Sendable)? = nil,
        review: TemplateReview?, liveScript: LiveElement? = nil,
        messages: @autoclosure () -> MessageTable? = nil
    ) throws -> [UInt8] {
        let program = try program
        guard let template = program.tables.templates[ExactText(name)] else { throw unknown(name, in: program) }
        return try TemplateWorkspace.use(for: program, limits) { workspace in
            var table = program.hasLanguage ? messages() : nil
            workspace.tape.language = table?.format
            let root = try write(page, over: values, to: workspace.tape)
            // The text that a lambda renders may depend on the language, too.
            if table == nil, workspace.tape.hasLambdas { table = messages() }
            let renderer = TemplateRenderer(
                workspace, over: root, missingNames: review == nil ? missingNames : .error,
                escapes: !Self.isText(name), review: review, liveScript: liveScript,
                messages: table)
            try renderer.render(template: template)
            return workspace.output.bytes
        }
    }

    /// Writes a page, and the values that every page has. Returns the cell of those.
    private func write(
        _ page: some Encodable, over values: (any Encodable & Sendable)?, to tape: ValueTape
    ) throws -> UInt32? {
        do {
            try tape.writeWhole(page, to: ValueTape.root)
            guard let values else { return nil }
            let cell = tape.makeCell()
            try tape.writeWhole(values, to: cell)
            return cell
        } catch let limit as TapeLimit {
            throw limits.error(for: limit)
        }
    }

    /// Whether a template makes plain text, in which nothing is escaped. Its name decides, so that a partial is escaped
    /// as the page is that includes it.
    static func isText(_ name: String) -> Bool { name.utf8.suffix(4).elementsEqual(".txt".utf8) }

    func unknown(_ name: String, in program: TemplateProgram) -> TemplateError {
        let advice = ClosestName(to: name).question(among: program.tables.sources.map(\.name))
        return TemplateError("there is no template \"\(name)\": \(advice ?? "create it or correct the name")")
    }
}

/// The treatment of a name that a template uses and the page does not have.
public enum MissingNames: Sendable {
    /// A missing name is a ``TemplateError``. So is a partial, parent or block that does not exist, and a list or an
    /// object that is shown as text: nothing fails silently.
    case error
    /// A missing name shows nothing, as in the Mustache specification. The same applies to the other errors above.
    case empty
}
