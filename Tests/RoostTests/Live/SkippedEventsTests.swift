import RoostTesting
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

    private struct Number: ServerSentEventConvertible {
        let value: Int
        func serverSentEvent() -> ServerSentEvent { ServerSentEvent("\(value)") }
    }

    @Test func `a client that is sent few events learns how far it is`() async throws {
        let topic = Topic<Number>(history: 10)
        let client = try TestClient { routes in
            routes.events(Path("/events")) { request, events in
                try await events.send(topic.subscribe(after: request.lastEventID)) { $0.value == 0 }
            }
        }
        let connection = try await client.connection(sending: get("/events"))
        var text = ""
        func read(until end: String) async throws {
            while !text.contains(end) { text += String(decoding: try await connection.receive(), as: UTF8.self) }
        }
        try await read(until: "id: \(topic.lastID)\n\n")
        // Half of the history at most: then it still has what follows when the client comes back.
        for round in 1...3 {
            for value in 1...5 { topic.publish(Number(value: value)) }
            try await read(until: "id: \(topic.lastID)\n\n")
            #expect(!text.contains("data"), "\(round)")
        }
        topic.publish(Number(value: 1))
        topic.publish(Number(value: 0))
        try await read(until: "data: 0\nid: \(topic.lastID)\n\n")
        connection.close()
    }
}
