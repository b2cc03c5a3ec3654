/// The templates of a folder, read again whenever a file of it has changed, for development.
///
/// A value for each event loop, so it needs no lock. A broken template stays an error, request after request, until it
/// is edited again: old output would be the worse answer.
struct LiveTemplates: Sendable {
    private let directory: String
    private let missingNames: MissingNames
    private let limits: TemplateLimits
    private var folder: TemplateFolder
    private var state: Result<Templates, any Error>

    /// Reads a folder for the first time.
    ///
    /// - Throws: a ``TemplateError`` if it cannot be read; templates that are broken are an error of `templates()`.
    init(
        directory: String, missingNames: MissingNames = .error, limits: TemplateLimits = TemplateLimits()
    ) throws {
        self.directory = directory
        self.missingNames = missingNames
        self.limits = limits
        folder = try TemplateFolder(directory)
        state = Result { try Templates(directory: directory, missingNames: missingNames, limits: limits) }
    }

    /// The templates as they are on disk now.
    ///
    /// - Throws: what `Templates.init` throws.
    mutating func templates() throws -> Templates {
        if try folder.changed() {
            state = Result { try Templates(directory: directory, missingNames: missingNames, limits: limits) }
        }
        return try state.get()
    }
}
