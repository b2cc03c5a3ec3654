import Roost
import Synchronization

/// The body of a response on its way from the loop to the reader: little of it waits, so that a slow reader makes the
/// server slow.
final class Download: Sendable {
    enum Taking { case taken, pause, refused }

    private struct State {
        var bytes: [UInt8] = []
        var isTooLarge = false
        var isPaused = false
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        /// Calls the transfer back: to go on, or to stop because nobody reads any more.
        var resume: (@Sendable () -> Void)?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let streams: Bool
    let limit: Int
    /// The number of bytes that may wait for the reader before the transfer pauses.
    private static let window = 1 << 16

    /// - Parameter limit: The most bytes of a body in memory; a streamed body may be of any size.
    init(streams: Bool, limit: Int) {
        self.streams = streams
        self.limit = limit
    }

    var isTooLarge: Bool { state.withLock { $0.isTooLarge } }

    /// Says how the transfer is reached from any thread.
    func connect(resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void) {
        state.withLock {
            $0.resume = resume
            $0.cancel = cancel
        }
    }

    /// Nobody will read it any more.
    func abandon() { state.withLock { $0.end == nil ? $0.cancel : nil }?() }

    /// Takes a piece on the loop's thread.
    func take(_ bytes: UnsafeRawBufferPointer) -> Taking {
        let (taking, reader) = state.withLock { state -> (Taking, CheckedContinuation<[UInt8]?, any Error>?) in
            if streams {
                guard state.bytes.count < Self.window else {
                    state.isPaused = true
                    return (.pause, nil)
                }
                if let reader = state.reader.take() { return (.taken, reader) }
                state.bytes += bytes
                return (.taken, nil)
            }
            guard bytes.count <= limit - state.bytes.count else {
                state.isTooLarge = true
                return (.refused, nil)
            }
            state.bytes.append(contentsOf: bytes)
            return (.taken, nil)
        }
        reader?.resume(returning: Array(bytes))
        return taking
    }

    /// The body has ended, or broken off.
    func end(_ result: Result<Void, any Error>) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = result }
            state.resume = nil
            state.cancel = nil
            return state.reader.take()
        }
        reader?.resume(with: result.map { nil })
    }

    /// All bytes of a body that is not streamed.
    func takeAll() -> [UInt8] {
        state.withLock { state in
            defer { state.bytes = [] }
            return state.bytes
        }
    }

    fileprivate func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, resume) = state.withLock {
                    state -> (Result<[UInt8]?, any Error>?, (@Sendable () -> Void)?) in
                    if !state.bytes.isEmpty {
                        defer {
                            state.bytes = []
                            state.isPaused = false
                        }
                        return (.success(state.bytes), state.isPaused ? state.resume : nil)
                    }
                    if let end = state.end { return (end.map { nil }, nil) }
                    if state.reader != nil { return (.failure(BodyReadTwice()), nil) }
                    state.reader = continuation
                    return (nil, nil)
                }
                if let result { continuation.resume(with: result) }
                resume?()
            }
        } onCancel: {
            abandon()
        }
    }
}

/// Two tasks read one response's body at the same time.
struct BodyReadTwice: Error, CustomStringConvertible {
    var description: String { "Another task is reading this response already: read in one, and pass its pieces on." }
}

/// A download that somebody holds: when nobody does any more, the transfer ends.
final class Reading: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error
    private let download: Download

    init(_ download: Download) { self.download = download }

    deinit { download.abandon() }

    struct AsyncIterator: AsyncIteratorProtocol {
        let reading: Reading

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> [UInt8]? {
            try await reading.download.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reading: self) }
}
