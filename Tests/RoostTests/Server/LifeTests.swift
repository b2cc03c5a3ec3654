import Glibc
import HTTPTypes
import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// From start to end, over TCP, in this process.
@Suite("The life of a server", .timeLimit(.minutes(5)))
struct LifeTests {
    private func configuration(_ change: (inout ServerConfiguration) -> Void = { _ in }) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.workers = 2
        configuration.headTimeout = .seconds(3600)  // a busy machine may take its time between connecting and sending
        change(&configuration)
        return configuration
    }

    /// Starts a server and passes it to a body, after which it ends.
    private func serving(
        _ configuration: ServerConfiguration,
        _ declare: @escaping (Routes) -> Void = Probe.routes,
        _ body: (Server, Task<Void, any Error>) async throws -> Void
    ) async throws {
        let application = try Probe.application(configuration, declare)
        let server = try await Server.listen(configuration, application, logger: application.logger)
        let running = Task { try await server.run() }
        do {
            try await body(server, running)
        } catch {
            server.shutdown()
            try await running.value
            throw error
        }
        server.shutdown()
        try await running.value
    }

    @Test func `a request in flight gets a response that says it is the last; then nothing listens`() async throws {
        let gate = Gate()
        let declare: (Routes) -> Void = { routes in
            routes.get(Path("/")) { _ in
                try await offload { gate.pass() }
                return "done"
            }
        }
        try await serving(configuration(), declare) { server, running in
            let connection = try await HTTPConnection.connect(port: server.port)
            try await connection.send(get("/"))
            await gate.isReached()
            server.shutdown()
            try await BlockingThread.run { [port = server.port] in
                let swarm = Swarm(port: port)
                swarm.run(atMost: 50_000) { swarm in
                    swarm.add([])
                    return swarm.clients.contains { $0.end == .refused }
                }
            }
            gate.open()
            let response = try await connection.readResponse()
            #expect(response.text == "done")
            #expect(response.headers[.connection] == "close")
            try await connection.waitForClose()
            try await running.value
        }
    }

    @Test func `an idle connection is closed, one whose request has arrived gets its response`() async throws {
        try await serving(configuration()) { server, running in
            let idle = try await HTTPConnection.connect(port: server.port)
            let busy = try await HTTPConnection.connect(port: server.port)
            for connection in [idle, busy] {
                try await connection.send(get("/"))
                _ = try await connection.readResponse()
            }
            try await busy.send(get("/"))
            server.shutdown()
            #expect(try await busy.readResponse().status == .ok)
            #expect(try await busy.readToEnd().isEmpty)
            #expect(try await idle.readToEnd().isEmpty)
            try await running.value
        }
    }

    @Test func `an event stream ends whole`() async throws {
        let (events, event) = AsyncThrowingStream<ServerSentEvent, any Error>.makeStream()
        let declare: (Routes) -> Void = { routes in
            routes.get(Path("/")) { _ in Response.events(events) }
        }
        try await serving(configuration(), declare) { server, running in
            let connection = try await HTTPConnection.connect(port: server.port)
            try await connection.send(get("/"))
            event.yield(ServerSentEvent("1"))
            var text = ""
            while !text.contains("data: 1") { text += String(decoding: try await connection.receive(), as: UTF8.self) }
            server.shutdown()
            text += String(decoding: try await connection.readToEnd(), as: UTF8.self)
            #expect(text.hasSuffix("\r\n0\r\n\r\n"))
            try await running.value
        }
    }

    @Test(arguments: [false, true])
    func `more clients than there is room for are served one after the other`(isShared: Bool) async throws {
        let configuration = configuration {
            $0.maximumConnections = 5
            $0.hasSharedListener = isShared
        }
        try await serving(configuration) { server, _ in
            let port = server.port
            let answered = try await BlockingThread.run {
                let swarm = Swarm(port: port)
                for _ in 0..<40 { swarm.add(Array("GET / HTTP/1.0\r\n\r\n".utf8)) }
                swarm.run(atMost: 50_000) { $0.clients.allSatisfy(\.hasEnded) }
                return swarm.clients.count { $0.answers == 1 }
            }
            #expect(answered == 40)
        }
    }

    @Test(arguments: [(1, false), (2, false), (2, true)])
    func `when all places are taken by idle connections, new clients get in all the same`(
        workers: Int,
        isShared: Bool
    ) async throws {
        let configuration = configuration {
            $0.maximumConnections = 8
            $0.workers = workers
            $0.hasSharedListener = isShared
        }
        try await serving(configuration) { server, _ in
            let port = server.port
            let (answered, kept) = try await BlockingThread.run {
                let swarm = Swarm(port: port)
                for _ in 0..<8 { swarm.add(Array(get("/").utf8)) }
                swarm.run(atMost: 50_000) { $0.clients.allSatisfy { $0.answers == 1 } }
                // All of them stay connected, and these too; the idle timeout is a minute.
                for _ in 0..<8 { swarm.add(Array(get("/").utf8)) }
                swarm.run(atMost: 50_000) { $0.clients.allSatisfy { $0.answers == 1 } }
                return (swarm.clients.count { $0.answers == 1 }, swarm.clients.suffix(8).count { !$0.hasEnded })
            }
            #expect(answered == 16)
            #expect(kept > 0)
        }
    }

    @Test func `a client that waits for a place when the server ends is served`() async throws {
        let configuration = configuration {
            $0.maximumConnections = 1
            $0.workers = 1
        }
        let gate = Gate()
        let declare: (Routes) -> Void = { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/held")) { _ in
                try await offload { gate.pass() }
                return "held"
            }
        }
        try await serving(configuration, declare) { server, running in
            defer { gate.open() }
            let first = try await HTTPConnection.connect(port: server.port)
            try await first.send(get("/held"))
            await gate.isReached()
            let second = try await HTTPConnection.connect(port: server.port)
            try await second.send(get("/"))
            server.shutdown()
            let response = try await second.readResponse()
            #expect(response.text == "ok")
            #expect(response.headers[.connection] == "close")
            gate.open()
            #expect(try await first.readResponse().text == "held")
            try await running.value
        }
    }

    @Test func `it runs once: another run is refused, during the first and after it`() async throws {
        let application = try Probe.application(configuration())
        let server = try await Server.listen(configuration(), application, logger: application.logger)
        let errors = await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask { () -> (any Error)? in
                    do {
                        try await server.run()
                        return nil
                    } catch {
                        server.shutdown()
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count { $0 is StartError } == 1)
        #expect(errors.count { $0 == nil } == 1)
        await #expect(throws: StartError.self) { try await server.run() }
    }

    @Test func `an inherited socket outlives the server, with what waits in its queue`() async throws {
        let listening = try ListeningSocket.bind(
            SocketAddress.resolve(host: "127.0.0.1", port: 0)[0],
            count: 1,
            isShared: true
        )
        let (address, copies) = try ListeningSocket.inherit(1, from: listening.1[0], count: 2)
        #expect(address.port == listening.0.port)
        #expect(copies.count == 2 && copies.allSatisfy { $0.count == 1 })
        for descriptor in copies.joined() { close(descriptor) }
        let connection = try await HTTPConnection.connect(port: address.port)
        #expect(!connection.isClosedByPeer)
        close(listening.1[0])
    }

    @Test func `a descriptor that is not a listening socket stops the start`() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        defer { for end in ends { close(end) } }
        let error = #expect(throws: StartError.self) { try ListeningSocket.inherit(1, from: ends[0], count: 1) }
        #expect(error?.description.hasPrefix("LISTEN_FDS is 1, but descriptor") ?? false)
    }

    @Test func `the room for connections leaves descriptors for files, and a reserve`() {
        let shares = [20, 64, 1024].map(DescriptorShares.init)
        #expect(shares.map(\.connections) == [1, 24, 672])
        #expect(shares.map(\.files) == [1, 8, 224])
        #expect(DescriptorShares(of: 64, loops: 2).connections == 12)
        #expect(DescriptorShares(of: 1024, loops: 128).connections == 504)
        var configuration = ServerConfiguration()
        #expect(ConnectionRoom(configuration, shares[1]).capacity == 24)
        configuration.maximumConnections = 25
        #expect(ConnectionRoom(configuration, shares[1]).capacity == 24)
        configuration.maximumConnections = 5
        #expect(ConnectionRoom(configuration, shares[1]).capacity == 5)
        let room = ConnectionRoom(2)
        #expect(room.enter() && room.enter() && !room.enter())
        #expect(!room.takeWish())
        room.wishForPlace()
        #expect(room.takeWish() && !room.takeWish())
        room.leave()
        #expect(room.enter())
    }

    @Test func `services start in order before, and stop in reverse after`() async throws {
        let diary = Diary()
        let application = try Application(
            configuration: configuration(),
            services: [Entry(name: "a", diary: diary), Entry(name: "b", diary: diary)]
        ) { routes in
            routes.get(Path("/")) { _ in
                diary.note("request")
                return "ok"
            }
        }
        let client = TestClient(application)
        #expect(try await client.get("/").text == "ok")
        try await client.stop()
        #expect(diary.lines == ["start a on a loop", "start b on a loop", "request", "stop b", "stop a"])
    }

    @Test func `a service that cannot start stops the start, and the services before it`() async throws {
        let diary = Diary()
        let services = [Entry(name: "a", diary: diary), Entry(name: "b", diary: diary, fails: true)]
        let configuration = configuration()
        let application = try Application(configuration: configuration, services: services) { _ in }
        await #expect(throws: HTTPError.self) {
            _ = try await Server.listen(configuration, application, services: services, logger: application.logger)
        }
        #expect(diary.lines == ["start a on a loop", "stop a"])
    }
}

/// The events so far, in order.
private final class Diary: Sendable {
    private let text = Mutex<[String]>([])

    var lines: [String] { text.withLock { $0 } }

    func note(_ line: String) { text.withLock { $0.append(line) } }
}

private struct Entry: Service {
    let name: String
    let diary: Diary
    var fails = false

    func start() async throws {
        if fails { throw HTTPError(.internalServerError) }
        diary.note("start \(name)\(EventLoop.current == nil ? "" : " on a loop")")
    }

    func stop() async { diary.note("stop \(name)") }
}
