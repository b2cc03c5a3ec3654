import Logging
import RoostTesting
import Testing

@testable import Roost

/// Clients that send, read, end and leave in any order: each gets responses to its own requests only, and none keeps
/// its connection forever.
@Suite("Clients that do anything in any order", .timeLimit(.minutes(5)))
struct AnyOrderTests {
    private let server: InProcessServer

    init() async throws {
        let logger = Logger(label: "any order") { _ in SwiftLogNoOpLogHandler() }
        let application = try Application(logger: logger, middleware: []) { routes in
            routes.get(Path("/now/{name}", String.self)) { _, mark in mark }
            routes.get(Path("/large/{name}", String.self)) { _, mark in String(repeating: mark, count: 6_000) }
            routes.get(Path("/later/{name}", String.self)) { _, mark in
                for _ in 0..<3 { await Task.yield() }
                return mark
            }
            routes.get(Path("/elsewhere/{name}", String.self)) { _, mark in try await offload { mark } }
            routes.get(Path("/stream/{name}", String.self)) { _, mark in
                Response(body: Body(stream: Self.stream(of: mark)))
            }
            routes.post(Path("/whole")) { request in Response(body: request.body) }
            routes.on(.post)(Path("/echo"), body: .streamed) { request in Response(body: request.body) }
            routes.on(.post)(Path("/ignore/{name}", String.self), body: .streamed) { _, mark in mark }
        }
        server = try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    private static func stream(of mark: String) -> any Body.Stream {
        AsyncThrowingStream<[UInt8], any Error> { continuation in
            for _ in 0..<5 { continuation.yield(Array(String(repeating: mark, count: 1_500).utf8)) }
            continuation.finish()
        }
    }

    /// Everything that goes on until nobody has anything left to do.
    private func letEverythingHappen(_ clients: [AnyOrderClient], _ random: inout SplitMix64) async throws {
        for _ in 0..<3_000 {
            let client = clients[Int.random(in: 0..<clients.count, using: &random)]
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<40: client.send(&random)
            case 40..<80: client.receive(&random)
            case 80..<84: client.shutdownWrite()
            case 84..<90:
                client.finish()
                client.begin(try await server.connect())
            case 90..<93: await server.passSecond()
            case 93: _ = await server.makeRoom()
            default: _ = await server.connectionCount()
            }
        }
    }

    private func clients() async throws -> [AnyOrderClient] {
        var clients: [AnyOrderClient] = []
        for number in 0..<12 {
            let client = AnyOrderClient(number)
            client.begin(try await server.connect())
            clients.append(client)
        }
        return clients
    }

    @Test(arguments: UInt64(1)...4)
    func `those that then fall silent are disconnected`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let clients = try await clients()
        try await letEverythingHappen(clients, &random)
        // Longer than all timeouts of a connection together.
        for _ in 0..<300 {
            await server.passSecond()
            _ = await server.connectionCount()
        }
        try await expectNobody()
        for client in clients { client.finish() }
    }

    /// A handler whose work is on another thread ends when that thread has had its turn, however many seconds have
    /// passed on the server's clock meanwhile.
    private func expectNobody() async throws {
        while await server.connectionCount() > 0 {
            try await turn()
            await server.passSecond()
        }
    }

    @Test(arguments: UInt64(5)...8)
    func `those that then go on do not hold up a drain`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let clients = try await clients()
        try await letEverythingHappen(clients, &random)
        async let drained: Void = server.drain(patience: .seconds(2))
        while await !server.isDraining() { try await turn() }
        for _ in 0..<60 {
            for client in clients {
                client.receive(&random)
                client.send(&random)
            }
            await server.passSecond()
        }
        try await expectNobody()
        for client in clients { client.finish() }
        await drained
    }
}
