import Synchronization

/// The stream of a body whose first pieces somebody has looked at: they come again, once, and then the rest. Like the
/// stream of a request, it goes on where it was left.
struct ResumedStream: AsyncSequence, CountedStream, Sendable {
    private let first: First
    private let rest: Body
    let memory: MemoryBudget

    /// - Parameter rest: A body that goes on where it was left, as that of a request does; nil for any other.
    init?(_ first: [[UInt8]], _ rest: Body) {
        guard let memory = (rest.stream as? any CountedStream)?.memory else { return nil }
        self.first = First(first)
        self.rest = rest
        self.memory = memory
    }

    func makeAsyncIterator() -> Iterator { Iterator(first: first, rest: rest.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let first: First
        fileprivate var rest: Body.AsyncIterator

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(any Error) -> [UInt8]? {
            if let piece = first.next() { return piece }
            return try await rest.next()
        }
    }

    /// The first pieces that have not come again yet.
    fileprivate final class First: Sendable {
        private let pieces: Mutex<ArraySlice<[UInt8]>>

        init(_ pieces: [[UInt8]]) { self.pieces = Mutex(pieces[...]) }

        func next() -> [UInt8]? { pieces.withLock { $0.popFirst() } }
    }
}
