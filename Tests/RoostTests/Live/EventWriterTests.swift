import Testing

@testable import Roost

/// The bytes of event streams whose clients do not read.
@Suite("Event writers", .timeLimit(.minutes(5)))
struct EventWriterTests {
    private struct Word: ServerSentEventConvertible {
        let text: String

        func serverSentEvent() -> ServerSentEvent { ServerSentEvent(text) }
    }

    @Test func `what waits for its client is kept by the connection alone`() async throws {
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 1, queue: 1))
        defer { loops.stop() }
        let loop = loops.loops[0]
        let wasAlone = try await Task(executorPreference: loop) {
            let topic = Topic<Word>()
            let subscription = topic.subscribe()
            for text in ["one", "two"] { topic.publish(Word(text: text)) }
            let target = SlowTarget()
            let events = EventWriter(body: LiveWriter(output: LoopBound(lending: target, of: loop)))
            do { try await events.send(subscription) } catch is CancellationError {}
            return target.wasAlone
        }.value
        #expect(wasAlone == [true, true])
    }
}

/// The way to a client that does not read, and leaves after it has had the beginning and the first events.
private final class SlowTarget: LiveTarget {
    private var kept: [UInt8] = []
    /// Whether nobody else had the bytes of each write while they waited.
    private(set) var wasAlone: [Bool] = []

    var isOpen: Bool { wasAlone.count < 2 }
    let isTaken = false

    func send(_ bytes: [UInt8]) -> Bool {
        kept = bytes
        return true
    }

    func endsTurn(with count: Int) -> Bool { false }

    func whenTaken(_ waiter: CheckedContinuation<Void, Never>) {
        let place = kept.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        // An array that somebody else has, too, is copied before it is changed.
        wasAlone.append(kept.withUnsafeMutableBufferPointer { UInt(bitPattern: $0.baseAddress) } == place)
        waiter.resume()
    }

    func endNow() {}
}
