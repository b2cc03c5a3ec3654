/// An ``IncomingBody`` as a value of its request. It may be iterated once, on the connection's loop.
struct IncomingBodyStream: AsyncSequence, AsyncIteratorProtocol, CountedStream, Sendable {
    let body: LoopBound<IncomingBody>
    let memory: MemoryBudget

    func makeAsyncIterator() -> IncomingBodyStream { self }

    /// The next bytes; nil at the end.
    /// - Throws: ``BodyReadElsewhere`` off the loop, and what ``IncomingBody/next()`` throws.
    func next() async throws -> [UInt8]? {
        guard body.loop.isCurrent else { throw BodyReadElsewhere() }
        return try await body.value.next()
    }
}

/// A body was read in an unstructured task, which is not on the connection's loop.
struct BodyReadElsewhere: Error, CustomStringConvertible {
    var description: String {
        "A streamed body can only be read in the task that handles its request; collect it before you start another."
    }
}
