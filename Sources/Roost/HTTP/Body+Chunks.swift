import Synchronization

extension Body: AsyncSequence {
    /// The content piece by piece, as it comes:
    ///
    ///     routes.post(Path("/sum"), body: .streamed) { request in
    ///         var sum = 0
    ///         for try await chunk in request.body { sum += chunk.reduce(0) { $0 + Int($1) } }
    ///         return "\(sum)"
    ///     }
    ///
    /// More is read from the client only when the next piece is asked for, so a slow reader costs no memory. A body in
    /// memory is one piece, or none if it is empty; no piece is empty. The streamed body of a request can be read once,
    /// and only in the task that responds to the request.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var whole: Body?
        private var stream: (any AsyncIteratorProtocol<[UInt8], any Error>)?

        fileprivate init(_ body: Body) {
            stream = body.stream.map { Self.iterator(of: $0) }
            whole = stream == nil ? body : nil
        }

        private static func iterator(of stream: any Stream) -> any AsyncIteratorProtocol<[UInt8], any Error> {
            stream.makeAsyncIterator()
        }

        /// The next piece; nil at the end.
        /// - Throws: ``HTTPError`` with 408 or 413 for a client that is too slow or sends too much; any error of
        ///   the stream.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> [UInt8]? {
            if let whole = whole.take() {
                let bytes = try whole.bytesInMemory
                return bytes.isEmpty ? nil : bytes
            }
            while let piece = try await stream?.next(isolation: actor) {
                if !piece.isEmpty { return piece }
            }
            return nil
        }
    }

    /// The content from its beginning.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension Body {
    /// The same stream with its first piece read.
    /// - Throws: What the stream throws instead of a first piece.
    func begun() async throws -> Body {
        var pieces = makeAsyncIterator()
        let first = try await pieces.next()
        return Body(stream: BegunStream(self, first, pieces), length: count)
    }
}

/// A stream whose first piece has been read. Another reader than the first one begins anew, as with any stream.
///
/// `@unchecked Sendable`: only the one who finds it not yet taken uses what has begun.
private final class BegunStream: AsyncSequence, @unchecked Sendable {
    private let body: Body
    private let isTaken = Atomic(false)
    private var begun: AsyncIterator?

    init(_ body: Body, _ first: [UInt8]?, _ rest: Body.AsyncIterator) {
        self.body = body
        begun = AsyncIterator(first, rest)
    }

    func makeAsyncIterator() -> AsyncIterator {
        let isFirst = !isTaken.exchange(true, ordering: .acquiringAndReleasing)
        return (isFirst ? begun.take() : nil) ?? AsyncIterator(nil, body.makeAsyncIterator())
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        private var first: [UInt8]?
        private var rest: Body.AsyncIterator

        fileprivate init(_ first: [UInt8]?, _ rest: Body.AsyncIterator) { (self.first, self.rest) = (first, rest) }

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(any Error) -> [UInt8]? {
            if let first = first.take() { return first }
            return try await rest.next(isolation: actor)
        }
    }
}

/// Bytes that a function makes, piece by piece, from a state that each reader has for itself.
package struct MadePieces<State>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> State
    private let make: @Sendable (inout State) async throws -> [UInt8]?

    /// - Parameters:
    ///   - begin: The state at the beginning, made anew for each reader.
    ///   - make: Returns the next piece; nil at the end.
    package init(
        from begin: @autoclosure @escaping @Sendable () -> State,
        _ make: @escaping @Sendable (inout State) async throws -> [UInt8]?
    ) { (self.begin, self.make) = (begin, make) }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(state: begin(), make: make) }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var state: State
        fileprivate let make: @Sendable (inout State) async throws -> [UInt8]?

        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> [UInt8]? { try await make(&state) }
    }
}

/// The pieces of a body on its way to somebody who has been told its length.
package struct CountedPieces {
    private var pieces: Body.AsyncIterator
    private let announced: Int?
    private var rest: Int

    package init(_ body: Body) {
        pieces = body.makeAsyncIterator()
        announced = body.count
        rest = announced ?? .max
    }

    /// The next piece; nil at the end.
    /// - Throws: ``BodyLengthError``; for a body that is short because its task was cancelled, as some streams just end
    ///   then, `CancellationError`. What the stream throws.
    package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> [UInt8]? {
        guard let piece = try await pieces.next(isolation: actor) else {
            guard let announced, rest > 0 else { return nil }
            try Task.checkCancellation()
            throw BodyLengthError(announced: announced, isLonger: false)
        }
        guard piece.count <= rest else { throw BodyLengthError(announced: announced ?? 0, isLonger: true) }
        rest -= piece.count
        return piece
    }
}
