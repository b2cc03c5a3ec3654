import Roost
import RoostSQL

/// A read for which its task waits: first for a place on a connection, then for the result.
///
/// `@unchecked Sendable`: it is used on its loop's thread only.
final class PipelinedRead: @unchecked Sendable {
    let text: String
    let parameters: StatementParameters
    /// When the result must be there.
    let deadline: ContinuousClock.Instant
    /// When it must have a place on a connection.
    let waitEnd: ContinuousClock.Instant
    private var continuation: CheckedContinuation<Bool, any Error>?
    private var result: PostgresResult?
    private var columns: ResultColumns?

    init(
        _ text: String, _ parameters: StatementParameters, deadline: ContinuousClock.Instant,
        waitEnd: ContinuousClock.Instant
    ) {
        self.text = text
        self.parameters = parameters
        self.deadline = deadline
        self.waitEnd = min(deadline, waitEnd)
    }

    /// Waits for the result.
    /// - Returns: Whether there is one; if not, the statement has not been run, or its transaction was undone, and it
    ///   must be run on a connection of its own.
    func wait(in pipeline: ReadPipeline) async throws -> Bool {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.continuation = continuation
                pipeline.add(self)
            }
        } onCancel: {
            pipeline.loop.execute { pipeline.cancel(self) }
        }
    }

    /// Whether nobody waits any more.
    var isSettled: Bool { continuation == nil }

    func succeed(_ result: consuming PostgresResult, _ columns: ResultColumns) {
        guard let continuation else { return }
        self.result = consume result
        self.columns = columns
        self.continuation = nil
        continuation.resume(returning: true)
    }

    func fail(_ error: any Error) {
        let continuation = continuation
        self.continuation = nil
        continuation?.resume(throwing: error)
    }

    /// Has the task run the statement on a connection of its own.
    func goAlone() {
        let continuation = continuation
        self.continuation = nil
        continuation?.resume(returning: false)
    }

    /// Reduces the rows of the result, once.
    func reduce<State>(into state: inout State, _ each: (inout State, any SQLRow) throws -> Bool) throws {
        guard let result = result.take(), let columns else { return }
        try PostgresConnection.read(result, columns, into: &state, each)
    }
}
