import Roost
import Synchronization

/// A streamed body on its way to the server: one piece waits until libcurl has sent it, so that a slow server makes the
/// source slow.
final class Upload: Sendable {
    private struct State {
        var bytes: ArraySlice<UInt8> = []
        var isComplete = false
        var isOver = false
        /// Whether libcurl waits for more.
        var isPaused = false
        var source: CheckedContinuation<Void, Never>?
        var resume: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    /// Ends when the transfer has ended.
    private let (over, ending) = AsyncStream<Never>.makeStream()

    /// Says how a transfer that paused is told to go on, from any thread.
    func connect(resume: @escaping @Sendable () -> Void) { state.withLock { $0.resume = resume } }

    /// Sends everything. It returns early when the transfer ends, even if the source has stalled.
    func send(_ body: Body) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.pass(on: body) }
            group.addTask { for await _ in self.over {} }
            try await group.next()
            group.cancelAll()
        }
    }

    private func pass(on body: Body) async throws {
        // The server would take what is too much for another request.
        var pieces = CountedPieces(body)
        while let piece = try await pieces.next() {
            guard await give(piece) else { return }
        }
        // Some sources just end when their reader is cancelled: what has come is not the whole.
        try Task.checkCancellation()
        wake { $0.isComplete = true }
    }

    /// Gives a piece, and returns when it has been taken; false when nobody will.
    private func give(_ piece: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.source = continuation }
                return state.isOver
            }
            if isOver { return continuation.resume() }
            wake { $0.bytes = piece[...] }
        }
        return state.withLock { !$0.isOver }
    }

    private func wake(_ change: (inout sending State) -> Void) {
        let resume = state.withLock { state in
            change(&state)
            defer { state.isPaused = false }
            return state.isPaused ? state.resume : nil
        }
        resume?()
    }

    /// Lets the transfer look for more, in a later turn of the loop.
    func goOn() { state.withLock { $0.resume }?() }

    /// Fills libcurl's buffer, on the loop's thread; the number of bytes, 0 at the end, or a pause.
    func read(_ buffer: UnsafeMutableRawBufferPointer, pause: Int) -> Int {
        let (count, source) = state.withLock { state -> (Int, CheckedContinuation<Void, Never>?) in
            if state.bytes.isEmpty {
                state.isPaused = !state.isComplete
                return (state.isComplete ? 0 : pause, nil)
            }
            let part = state.bytes.prefix(buffer.count)
            buffer.copyBytes(from: part)
            state.bytes = state.bytes.dropFirst(part.count)
            return (part.count, state.bytes.isEmpty ? state.source.take() : nil)
        }
        source?.resume()
        return count
    }

    /// Nobody takes anything any more.
    func end() {
        let source = state.withLock { state in
            state.isOver = true
            state.resume = nil
            return state.source.take()
        }
        source?.resume()
        ending.finish()
    }
}
