import Synchronization
import Testing

@testable import Roost

/// The share of a turn of a client that has sent many requests at once, beside one that has sent a single request.
@Suite("A fair share of a turn", .timeLimit(.minutes(5)))
struct FairShareTests {
    /// The clients in the order in which they were served.
    private final class Order: Sendable {
        private let list = Mutex<[String]>([])

        var all: [String] { list.withLock { $0 } }

        func note(_ name: String) { list.withLock { $0.append(name) } }
    }

    private let order = Order()
    private let group: ConnectionGroup

    init() throws {
        let order = order
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/now/{name}", String.self)) { _, name in
                order.note(name)
                return name
            }
            routes.get(Path("/waits/{name}", String.self)) { _, name async in
                order.note(name)
                return name
            }
            routes.get(Path("/large/{name}", String.self)) { _, name in
                order.note(name)
                return String(repeating: name, count: 30_000)
            }
            routes.webSocket(Path("/socket/{name}", String.self)) { socket, _, name in
                for try await _ in socket { order.note(name) }
            }
        }
        group = ConnectionGroup(of: application, on: try EventLoop())
    }

    /// The place at which the other client was served, after a client has sent `many` at once; and how many were served
    /// in the end.
    private func places(_ many: [UInt8], then one: [UInt8], after first: String? = nil) throws -> (Int, Int) {
        let clients = [try StandingClient(in: group), try StandingClient(in: group)]
        for client in clients { client.connection.start() }
        let read: @Sendable () -> Void = { for client in clients { _ = client.received } }
        let (busy, other) = (clients[0], clients[1])
        group.loop.run(
            { if let first { clients.enumerated().forEach { $1.send(handshake(first + "\($0)")) } } },
            {
                busy.send(many)
                other.send(one)
            },
            read, read, read, read, read, read, read, read, read, read, read, read)
        return (try #require(order.all.firstIndex(of: "1")), order.all.count)
    }

    @Test(arguments: ["now", "waits"])
    func `one request does not wait for the hundreds that another client has sent`(path: String) throws {
        let many = String(repeating: get("/\(path)/0"), count: 400)
        let (place, count) = try places(Array(many.utf8), then: Array(get("/\(path)/1").utf8))
        #expect(place <= 100)
        #expect(count == 401)
    }

    @Test func `nor for a few whose responses are large`() throws {
        let many = String(repeating: get("/large/0"), count: 40)
        let (place, count) = try places(Array(many.utf8), then: Array(get("/large/1").utf8))
        #expect(place <= 5)
        #expect(count == 41)
    }

    @Test func `nor does a message of one WebSocket for those of another`() throws {
        let many = (0..<1500).flatMap { _ in FrameWire.text("a") }
        let (place, count) = try places(many, then: FrameWire.text("b"), after: "/socket/")
        #expect(place <= 100)
        #expect(count == 1501)
    }

    /// Two clients for a handler.
    private final class Pair: Sendable {
        private let pair = Mutex<(busy: StandingClient, other: StandingClient)?>(nil)

        func put(_ busy: StandingClient, _ other: StandingClient) { pair.withLock { $0 = (busy: busy, other: other) } }

        func take() -> (busy: StandingClient, other: StandingClient)? { pair.withLock { $0.take() } }
    }

    @Test func `nor for an event stream whose client takes everything at once`() throws {
        let (order, pair) = (order, Pair())
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in
                order.note("1")
                return "ok"
            }
            routes.events(Path("/events")) { _, events in
                guard let (busy, other) = pair.take() else { return }
                other.send(get("/"))
                for _ in 0..<200 {
                    order.note("0")
                    try await events.send(ServerSentEvent(String(repeating: "a", count: 10_000)))
                    _ = busy.received
                }
            }
        }
        let group = ConnectionGroup(of: application, on: try EventLoop())
        let (busy, other) = (try StandingClient(in: group), try StandingClient(in: group))
        for client in [busy, other] { client.connection.start() }
        pair.put(busy, other)
        group.loop.run({ busy.send(get("/events")) }, {})
        let place = try #require(order.all.firstIndex(of: "1"))
        #expect(place <= 100)
        #expect(order.all.count == 201)
    }

    @Test func `each client gets its responses in order, and the last one ends its connection`() throws {
        let client = try StandingClient(in: group)
        let names = (0..<200).map { "n\($0)" }
        client.connection.start()
        let text = names.map { get("/now/\($0)") }.joined()
        group.loop.run(
            { client.send(text + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") },
            { _ = client.received })
        #expect(order.all == names)
        // What was sent after the last reading; behind it is the end.
        _ = client.received
        #expect(client.received == nil)
    }

    @Test func `a client that has shut down its side gets all of its responses`() throws {
        let client = try StandingClient(in: group)
        client.connection.start()
        group.loop.run(
            {
                client.send(String(repeating: get("/now/0"), count: 300))
                client.shutDown()
            })
        #expect(order.all.count == 300)
        #expect(client.received ?? 0 > 300 * 30)
        #expect(client.received == nil)
    }
}
