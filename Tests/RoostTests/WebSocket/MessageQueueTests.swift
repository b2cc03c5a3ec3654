import Testing

@testable import Roost

@Suite("Messages that nobody has read yet", .timeLimit(.minutes(5)))
struct MessageQueueTests {
    private let memory = MemoryBudget(.max)

    private func message(_ number: Int) -> WebSocketMessage {
        .binary([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 5000))
    }

    @Test(arguments: 1...4)
    func `what has been read is let go of, however many wait`(outstanding: Int) {
        var queue = MessageQueue()
        for number in 0..<outstanding { queue.append(message(number), memory) }
        for number in 0..<1000 {
            #expect(queue.popFirst() == message(number))
            queue.append(message(number + outstanding), memory)
            #expect(memory.count <= outstanding * 5000)
        }
        for number in 1000..<1000 + outstanding { #expect(queue.popFirst() == message(number)) }
        #expect(queue.popFirst() == nil && queue.isEmpty && queue.hasRoom)
        #expect(memory.count == 0)
    }
}
