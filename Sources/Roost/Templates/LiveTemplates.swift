import Synchronization

/// The templates of a folder, read again whenever a file of it has changed, for development.
///
/// A broken template stays an error, request after request, until it is edited again: old output would be the worse
/// answer. The lock is development's alone; production has no such object.
final class LiveTemplates: Sendable {
    private struct State {
        var folder: TemplateFolder
        var program: Result<TemplateProgram, any Error>
    }

    private let state: Mutex<State>
    private let compile: @Sendable ([TemplateSource]) throws -> TemplateProgram

    /// Goes on from what has been read of a folder.
    init(
        _ folder: TemplateFolder, _ program: TemplateProgram,
        compile: @escaping @Sendable ([TemplateSource]) throws -> TemplateProgram
    ) {
        state = Mutex(State(folder: folder, program: .success(program)))
        self.compile = compile
    }

    /// The templates as they are on disk now.
    ///
    /// - Throws: what `Templates.init` throws.
    func program() throws -> TemplateProgram {
        try state.withLock { state in
            if try state.folder.changed() {
                state.program = Result { try compile(state.folder.sources()) }
            }
            return try state.program.get()
        }
    }
}
