import Synchronization

/// The templates of a folder, read again whenever a file in it has changed, for development.
///
/// A broken template fails every rendering until it is edited again. The output of an old version would only mislead.
/// In production there is no such object, and so no lock.
final class LiveTemplates: Sendable {
    private struct State {
        var folder: TemplateFolder
        var program: Result<TemplateProgram, any Error>
    }

    private let state: Mutex<State>
    private let compile: @Sendable ([TemplateSource]) throws -> TemplateProgram

    /// Starts with the folder as it was read, and with the program made of it.
    init(
        _ folder: TemplateFolder, _ program: TemplateProgram,
        compile: @escaping @Sendable ([TemplateSource]) throws -> TemplateProgram
    ) {
        state = Mutex(State(folder: folder, program: .success(program)))
        self.compile = compile
    }

    /// The templates as they are on disk now.
    ///
    /// - Throws: As `Templates.init(directory:)` does.
    func program() throws -> TemplateProgram {
        try state.withLock { state in
            if try state.folder.changed() {
                state.program = Result { try compile(state.folder.sources()) }
            }
            return try state.program.get()
        }
    }
}
