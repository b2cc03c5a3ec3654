/// The stream of a body whose first pieces somebody has looked at: they come again, and then the rest.
struct ResumedStream: AsyncSequence, CountedStream, Sendable {
    private let first: [[UInt8]]
    private let rest: Body
    let memory: MemoryBudget

    /// - Parameter rest: A body that goes on where it was left, as that of a request does; nil for any other.
    init?(_ first: [[UInt8]], _ rest: Body) {
        guard let memory = (rest.stream as? any CountedStream)?.memory else { return nil }
        self.first = first
        self.rest = rest
        self.memory = memory
    }

    func makeAsyncIterator() -> Iterator { Iterator(first: first[...], rest: rest.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var first: ArraySlice<[UInt8]>
        fileprivate var rest: Body.AsyncIterator

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(any Error) -> [UInt8]? {
            if let piece = first.popFirst() { return piece }
            return try await rest.next()
        }
    }
}
