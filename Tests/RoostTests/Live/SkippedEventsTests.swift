import Testing

@testable import Roost

@Suite("Skipped events", .timeLimit(.minutes(5)))
struct SkippedEventsTests {
    @Test func `what is skipped is told with what is sent, or after a number of events`() {
        var skipped = SkippedEvents(capacity: 1000)
        for id in 1...99 {
            skipped.pass(id, isSent: false)
            #expect(skipped.idToSend(withEvents: false).isEmpty)
        }
        skipped.pass(100, isSent: false)
        #expect(skipped.idToSend(withEvents: false) == Array("id: 100\n\n".utf8))
        #expect(skipped.idToSend(withEvents: true).isEmpty)
        skipped.pass(101, isSent: true)
        #expect(skipped.idToSend(withEvents: true).isEmpty)
        skipped.pass(102, isSent: false)
        #expect(skipped.idToSend(withEvents: true) == Array("id: 102\n\n".utf8))
    }
}
