import HTTPTypes
import Roost
import RoostSQL
import RoostTesting
import Testing

// The code of docs/events.md, letter for letter.

private struct Sighting: Codable, ServerSentEventConvertible {
    let bird: String

    func serverSentEvent() throws -> ServerSentEvent {
        ServerSentEvent(String(decoding: try JSONCoder().encode(self), as: UTF8.self), event: "sighting")
    }
}

@Suite("The page about events", .timeLimit(.minutes(5)))
struct EventsPageTests {
    private let sightings = Topic<Sighting>()

    private func client() throws -> TestClient {
        let sightings = sightings
        return TestClient(
            try Application { routes in
                routes.events(Path("/countdown/{from}", Int.self)) { request, events, from in
                    for number in (0...from).reversed() {
                        try await events.send(ServerSentEvent("\(number)", event: "tick", id: "\(number)"))
                        try await EventLoop.current?.sleep(for: .milliseconds(10))
                    }
                }
                routes.get(Path("/secrets")) { request in
                    guard request.headers[.authorization] == "Bearer 123" else { throw HTTPError(.unauthorized) }
                    return Response.events { events in
                        try await events.send(ServerSentEvent("Owls sleep by day."))
                    }
                }
                routes.events(Path("/sightings")) { request, events in
                    try await events.send(sightings.subscribe(after: request.lastEventID))
                }
                routes.post(Path("/sightings")) { request in
                    sightings.publish(try request.decode(Sighting.self))
                    return HTTPResponse.Status.noContent
                }
            }
        )
    }

    private func publish(_ sighting: Sighting, in database: Database) async throws {
        let topic = SQLTopic<Sighting>("sightings", in: database)
        try await database.transaction { transaction in
            try await transaction.execute("INSERT INTO sightings (bird) VALUES (\(sighting.bird))")
            try await topic.publish(sighting, in: transaction)
        }
    }

    private func follow() async throws -> [String] {
        var log: [String] = []
        for try await message in sightings.subscribe() {
            log.append("\(message.id): \(message.event.bird)")
            if message.event.bird == "owl" { break }
        }
        return log
    }

    @Test func `its code is this code`() {
        func lines(_ text: String) -> String {
            text.split(separator: "\n").map { String($0.drop { $0 == " " }) }.joined(separator: "\n")
        }
        let code = lines(Readme.contents("Tests/RoostTests/Live/EventsPageTests.swift"))
        let blocks = Readme.contents("docs/events.md").components(between: "```swift\n", and: "```")
        #expect(blocks.count == 8)
        for block in blocks { #expect(code.contains(lines(block)), "\(block)") }
    }

    @Test func `its streams work`() async throws {
        let client = try client()
        let countdown = try await client.get("/countdown/2")
        #expect(EventStreamReader.events(in: countdown.body).map(\.data) == ["2", "1", "0"])
        let events = try await client.events("/countdown/1")
        #expect(try await [events.next()?.data, events.next()?.data, events.next()?.data] == ["1", "0", nil])
        #expect(try await client.get("/secrets").status == .unauthorized)
        await #expect(throws: WireClientError.self) { try await client.events("/secrets").next() }
        let secret = try await client.get("/secrets", headers: [.authorization: "Bearer 123"])
        #expect(EventStreamReader.events(in: secret.body).map(\.data) == ["Owls sleep by day."])
    }

    @Test func `its topic works`() async throws {
        let client = try client()
        let place = "\(sightings.lastID)"
        for bird in ["jay", "owl"] {
            #expect(try await client.post("/sightings", json: ["bird": bird]).status == .noContent)
        }
        let connection = try await client.connect()
        try await connection.send("GET /sightings HTTP/1.0\r\nLast-Event-ID: \(place)\r\n\r\n")
        var text = ""
        while !text.contains("owl") { text += String(decoding: try await connection.receive(), as: UTF8.self) }
        #expect(text.contains("event: sighting\ndata: {\"bird\":\"jay\"}\n"))
        let log = try await withThrowingTaskGroup(of: [String].self) { group in
            group.addTask { try await follow() }
            group.addTask {
                while !Task.isCancelled {
                    sightings.publish(Sighting(bird: "owl"))
                    await Task.yield()
                }
                return []
            }
            let log = try await group.next()
            group.cancelAll()
            return log
        }
        #expect(log?.last?.hasSuffix(": owl") == true)
    }
}
