/// Reads the parts of a body as they come, for a ``MultipartParts`` and all of its parts. It belongs to the task that
/// reads, like the body itself.
final class MultipartReader {
    private var source: Body.AsyncIterator
    private var parser: MultipartParser
    /// The number of parts that have begun.
    private var count = 0
    private var isInPart = false
    /// The field of the file that is being read; nil between parts, and in a part that is not a file.
    private(set) var file: String?
    /// The budget for the bytes that stay in memory; nil for a body that does not count them.
    let memory: MemoryBudget?

    init(_ body: Body, _ parser: MultipartParser) {
        source = body.makeAsyncIterator()
        memory = body.memory
        self.parser = parser
    }

    /// The next part; nil after the last. The rest of the part before is skipped.
    func nextPart(isolation actor: isolated (any Actor)? = #isolation) async throws -> MultipartPart? {
        while let event = try await nextEvent() {
            file = nil
            if case .part(let head) = event {
                count += 1
                isInPart = true
                if head.anyFileName != nil { file = head.name }
                return MultipartPart(head, number: count, reader: self)
            }
        }
        return nil
    }

    /// More of the content of a part; nil at its end.
    /// - Throws: An error for a part that another one has followed.
    func nextPiece(of number: Int, isolation actor: isolated (any Actor)? = #isolation) async throws -> [UInt8]? {
        guard number == count else { throw MultipartPartIsOver() }
        guard isInPart, case .content(let piece) = try await nextEvent() else {
            isInPart = false
            file = nil
            return nil
        }
        return piece
    }

    /// Returns the next event of the body; nil at the end of the form.
    private func nextEvent(isolation actor: isolated (any Actor)? = #isolation) async throws -> MultipartParser.Event? {
        while true {
            if let event = try parser.next() {
                guard event == .end else { return event }
                // So that the next request on the connection finds its beginning.
                while let rest = try await source.next() {
                    try parser.receive(rest)
                    _ = try parser.next()
                }
                return nil
            }
            guard let bytes = try await source.next() else {
                try parser.finish()
                return nil
            }
            try parser.receive(bytes)
        }
    }
}

/// The error for a part whose content is asked for when the next one had already begun.
struct MultipartPartIsOver: Error, CustomStringConvertible {
    /// A sentence that tells the developer what to do instead.
    var description: String {
        "The parts of a body come one after the other: read a part before you ask for the next one."
    }
}
