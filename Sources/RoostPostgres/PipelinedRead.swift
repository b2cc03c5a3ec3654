import Roost
import RoostSQL

/// A read for which a task waits: first for a place on a connection, then for the result.
///
/// `@unchecked Sendable`: it is used on its loop's thread only.
final class PipelinedRead: @unchecked Sendable {
    let text: String
    let parameters: StatementParameters
    /// The time by which the result must be there.
    let deadline: ContinuousClock.Instant
    /// The time by which it must have a place on a connection; never after the deadline.
    let waitEnd: ContinuousClock.Instant
    private let each: @Sendable (any SQLRow) throws -> Bool
    /// One that is not checked, since each use takes it away.
    @exclusivity(unchecked) private var continuation: UnsafeContinuation<Bool, any Error>?
    /// Whether its rows have been read.
    @exclusivity(unchecked) private(set) var isFinished = false

    init(
        _ statement: SQLStatement, _ parameters: StatementParameters, waitEnd: ContinuousClock.Instant,
        _ each: @escaping @Sendable (any SQLRow) throws -> Bool
    ) {
        text = statement.sql.text
        deadline = statement.deadline
        self.parameters = parameters
        self.waitEnd = min(deadline, waitEnd)
        self.each = each
    }

    /// Waits for the result.
    /// - Returns: Whether there is one; if not, the statement has not been run, or its transaction was undone, and it
    ///   must be run on a connection of its own.
    func wait(in pipeline: ReadPipeline) async throws -> Bool {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                self.continuation = continuation
                pipeline.add(self)
            }
        } onCancel: {
            pipeline.loop.execute { pipeline.cancel(self) }
        }
    }

    private func takeContinuation() -> UnsafeContinuation<Bool, any Error>? {
        defer { continuation = nil }
        return continuation
    }

    /// Whether nobody waits any more.
    var isSettled: Bool { continuation == nil }

    /// Reads the rows where the result is, so that its memory can be used for the next one.
    func take(_ result: borrowing PostgresResult, _ columns: ResultColumns) {
        guard !isSettled else { return }
        var nothing: Void = ()
        do {
            try PostgresConnection.read(result, columns, into: &nothing) { try each($1) }
            isFinished = true
        } catch { fail(error) }
    }

    /// Has the task go on if its rows have been read.
    func succeed() {
        if isFinished { takeContinuation()?.resume(returning: true) }
    }

    func fail(_ error: any Error) { takeContinuation()?.resume(throwing: error) }

    /// Has the task run the statement on a connection of its own.
    func goAlone() { takeContinuation()?.resume(returning: false) }
}
