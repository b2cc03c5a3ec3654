import Synchronization
import Testing

@testable import Roost

/// The output of several connections in one turn, on a loop that does not run by itself.
@Suite("What is sent in a turn", .timeLimit(.minutes(5)))
struct TurnOutputTests {
    private let group: ConnectionGroup

    init() throws {
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/waits")) { _ in
                await Task.yield()
                return "ok"
            }
            routes.get(Path("/large")) { _ in String(repeating: "l", count: 40_000) }
            routes.webSocket(Path("/socket")) { socket, _ in for try await _ in socket {} }
        }
        group = ConnectionGroup(of: application, on: try EventLoop())
    }

    private func clients(_ count: Int) throws -> [StandingClient] {
        try (0..<count).map { _ in try StandingClient(in: group) }
    }

    @Test func `responses go out when the turn ends`() throws {
        let clients = try clients(3)
        for client in clients { client.ask() }
        #expect(clients.map(\.received) == [0, 0, 0])
        group.output.turnEnded()
        let counts = clients.map { $0.received ?? 0 }
        #expect(counts[0] > 100 && counts == [counts[0], counts[0], counts[0]])
        group.output.turnEnded()
        #expect(clients.map(\.received) == [0, 0, 0])
    }

    @Test func `those of many connections go out at once`() throws {
        let clients = try clients(TurnOutput.mostParts + 1)
        for client in clients { client.ask() }
        #expect(clients.dropLast().allSatisfy { $0.received ?? 0 > 100 })
        #expect(clients.last?.received == 0)
        group.output.turnEnded()
        #expect(clients.last?.received ?? 0 > 100)
    }

    @Test func `so do large ones`() throws {
        let clients = try clients(2)
        clients[0].ask(get("/large"))
        #expect(clients[0].received == 0)
        clients[1].ask(get("/large"))
        #expect(clients.allSatisfy { $0.received ?? 0 > 40_000 })
    }

    @Test func `a connection's last response comes before its end, after the others'`() throws {
        let clients = try clients(2)
        clients[0].ask()
        clients[1].ask("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(clients.allSatisfy { $0.received ?? 0 > 100 })
        #expect(clients.map(\.received) == [0, nil])
    }

    @Test func `a client that has gone costs the others nothing`() throws {
        let clients = try clients(3)
        for client in clients { client.ask() }
        clients[1].connection.close()
        group.output.turnEnded()
        let counts = clients.map(\.received)
        #expect(counts[0] ?? 0 > 100 && counts[1] == nil && counts[2] == counts[0])
    }

    @Test(arguments: [true, false])
    func `a server that ends sends what it has`(drains: Bool) throws {
        let client = try StandingClient(in: group)
        client.ask()
        if drains { group.drain(patience: 0) {} } else { _ = group.closeAll() }
        #expect(client.received ?? 0 > 100)
    }

    @Test func `what a client does not take is kept for it`() throws {
        let clients = [try StandingClient(in: group, socketTakes: 4096), try StandingClient(in: group)]
        clients[0].ask(get("/large"))
        clients[1].ask()
        group.output.turnEnded()
        #expect(clients[0].connection.unsent != nil)
        #expect(clients[1].received ?? 0 > 100)
        var count = 0
        while let more = clients[0].received, more > 0 {
            count += more
            clients[0].connection.ready(.writable)
        }
        #expect(count > 40_000 && clients[0].connection.unsent == nil)
    }

    @Test func `so is the head of a WebSocket`() throws {
        let client = try StandingClient(in: group, socketTakes: 4096)
        let received = Mutex(0)
        client.connection.start()
        let read: @Sendable () -> Void = { received.withLock { $0 += client.received ?? 0 } }
        group.loop.run(
            { client.send(get("/large") + handshake("/socket")) },
            read, read, read, read, read, read, read, read, read, read, read, read)
        #expect(client.connection.state.phase == .upgraded && client.connection.unsent == nil)
        #expect(received.withLock { $0 } > 40_200)
    }
}
