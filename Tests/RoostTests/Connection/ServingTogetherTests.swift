import Glibc
import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// Requests of one turn that take waiting, on a loop that runs when the test says so.
@Suite("What is served in a turn", .timeLimit(.minutes(5)))
struct ServingTogetherTests {
    private let group: ConnectionGroup
    private let begun: Begun
    private let metrics = PrometheusMetrics()

    private final class Begun: Sendable {
        let names = Mutex<[String]>([])
        /// The requests that the loop was busy with, as the watchdog sees them.
        let turns = Mutex<[UInt?]>([])
    }

    init() throws {
        let begun = Begun()
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/{name}", String.self)) { request, name in
                begun.names.withLock { $0.append(name) }
                begun.turns.withLock { $0.append(EventLoop.current?.activity.busyTurn) }
                if name == "waits" { await Task.yield() }
                return "ok"
            }
            routes.get(Path("/large")) { _ in String(repeating: "a", count: 100_000) }
        }
        self.begun = begun
        group = ConnectionGroup(of: application, on: try EventLoop(), metrics: LoopMetrics(metrics, loop: 0))
    }

    private var names: [String] { begun.names.withLock { $0 } }

    private func clients(_ count: Int) throws -> [StandingClient] {
        try (0..<count).map { _ in try StandingClient(in: group) }
    }

    /// Runs something on the loop, and the loop until nothing is left to do.
    private func onLoop(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            group.loop.execute { body() }
            group.loop.stop()
            group.loop.run()
        }
    }

    @Test func `one task serves them when the turn ends, in the order in which they came`() throws {
        let clients = try clients(3)
        onLoop {
            for (number, client) in clients.enumerated() { client.ask(get("/\(number)")) }
            #expect(names.isEmpty)
            group.servingTasks.turnEnded()
            #expect(names == ["0", "1", "2"])
            #expect(group.servingTasks.count == 1)
        }
        #expect(clients.allSatisfy { $0.received ?? 0 > 100 })
    }

    @Test func `many are served at once`() throws {
        let clients = try clients(ServingTasks.mostRequests + 1)
        onLoop {
            for client in clients { client.ask(get("/a")) }
            #expect(names.count == ServingTasks.mostRequests)
        }
        #expect(names.count == clients.count)
    }

    @Test func `one that waits does not keep the next`() throws {
        let clients = try clients(3)
        onLoop {
            for (client, name) in zip(clients, ["a", "waits", "b"]) { client.ask(get("/\(name)")) }
            group.servingTasks.turnEnded()
            group.output.turnEnded()
            #expect(names == ["a", "waits", "b"])
            #expect(clients.map { $0.received ?? 0 > 100 } == [true, false, true])
        }
        #expect(clients[1].received ?? 0 > 100)
    }

    @Test func `a client that has gone is not served, and the next one is`() throws {
        let clients = try clients(2)
        onLoop {
            for (client, name) in zip(clients, ["a", "b"]) { client.ask(get("/\(name)")) }
            clients[0].connection.close()
        }
        #expect(names == ["b"])
    }

    @Test func `one whose client has gone is abandoned only if it has no response`() throws {
        let clients = try clients(2)
        onLoop {
            for (client, name) in zip(clients, ["a", "large"]) { client.ask(get("/\(name)")) }
            for client in clients { client.connection.close() }
        }
        #expect(names.isEmpty)
        let lines = metrics.text().split(separator: "\n")
        let labels = #"http_request_method="GET",http_response_status_code="200",http_route="/large""#
        #expect(lines.contains("http_server_request_duration_seconds_count{\(labels)} 1"))
        #expect(lines.contains("roost_abandoned_requests_total 1"))
    }

    @Test func `short ones together are not taken for one that blocks the loop`() throws {
        let clients = try clients(2)
        onLoop { for client in clients { client.ask(get("/a")) } }
        let turns = begun.turns.withLock { $0 }
        #expect(turns.count == 2 && turns[0] != nil && turns[1] != nil && turns[0] != turns[1])
    }

    @Test func `a request behind one that takes waiting is served after it`() throws {
        let client = try StandingClient(in: group)
        onLoop { client.ask(get("/a") + get("/b")) }
        #expect(names == ["a", "b"])
        #expect(client.received ?? 0 > 200)
    }
}
