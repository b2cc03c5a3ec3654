import Glibc
import RoostTesting
import Testing

@testable import Roost

/// Clients with more responses than their sockets take, on a clock that the tests control.
@Suite("Slow readers", .timeLimit(.minutes(5)))
struct SlowReaderTests {
    private static let answer = String(repeating: "a", count: 60_000)
    private static let closing = "GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    private static let upload = "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"

    private let server: InProcessServer
    private let event: AsyncThrowingStream<[UInt8], any Error>.Continuation

    init() async throws {
        let (events, event) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        self.event = event
        var configuration = ServerConfiguration()
        configuration.minimumSendRate = 20_000
        let application = try Application(configuration: configuration, middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/large")) { _ in Self.answer }
            routes.get(Path("/huge")) { _ in String(repeating: "a", count: 8_000_000) }
            routes.get(Path("/events")) { _ in Response(body: Body(stream: events)) }
            routes.post(Path("/upload")) { request in Response(body: request.body) }
            routes.on(.post)(Path("/both"), body: .streamed) { request in
                let (chunks, output) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
                output.yield([UInt8](repeating: 97, count: 1_000_000))
                Task(executorPreference: EventLoop.current) {
                    do {
                        for try await chunk in request.body.chunks { output.yield(chunk) }
                        output.finish()
                    } catch {
                        output.finish(throwing: error)
                    }
                }
                // The body is waited for before the response begins.
                for _ in 0..<3 { await Task.yield() }
                return Response(body: Body(stream: chunks))
            }
        }
        server = try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    private func connect(_ socket: Int32) -> HTTPConnection {
        HTTPConnection(descriptor: socket, host: "a", timeout: .seconds(60), server: server)
    }

    /// A connection that has had a response; by then the loop has handled what was sent before.
    @discardableResult
    private func answered() async throws -> HTTPConnection {
        let connection = connect(try await server.connect())
        try await connection.send(get("/"))
        #expect(try await connection.readResponse().text == "ok")
        return connection
    }

    /// Returns the number of large responses that fit into the socket of a client that does not read, and one more.
    private func capacity() async throws -> Int {
        let socket = try await server.connect()
        let connection = connect(socket)
        var answers = 0
        var before = -Self.answer.utf8.count
        while true {
            var arrived: Int32 = 0
            _ = ioctl(socket, UInt(FIONREAD), &arrived)
            guard Int(arrived) - before >= Self.answer.utf8.count else { return answers }
            before = Int(arrived)
            try await connection.send(get("/large"))
            try await answered()
            answers += 1
        }
    }

    /// A client that has not taken the last of a number of large responses.
    /// - Parameter text: The last request, and whatever follows it.
    private func slowReader(_ text: String = get("/large")) async throws -> (HTTPConnection, answers: Int) {
        let answers = try await capacity()
        let connection = connect(try await server.connect())
        for _ in 1..<answers {
            try await connection.send(get("/large"))
            try await answered()
        }
        try await connection.send(text)
        try await answered()
        return (connection, answers)
    }

    private func expectAnswers(_ answers: Int, on connection: HTTPConnection) async throws {
        for _ in 0..<answers { #expect(try await connection.readResponse().text == Self.answer) }
    }

    private func expectLastAnswers(_ answers: Int, on connection: HTTPConnection) async throws {
        try await expectAnswers(answers, on: connection)
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test func `one that has taken its last response does not hold up a drain`() async throws {
        let (connection, answers) = try await slowReader()
        let idle = try await answered()
        async let drained: Void = server.drain()
        defer { connection.close() }
        try await idle.waitForClose()
        try await expectLastAnswers(answers, on: connection)
        connection.close()
        await drained
    }

    @Test(arguments: [get("/large"), closing])
    func `one that shuts down its side gets the rest all the same`(last: String) async throws {
        let (connection, answers) = try await slowReader(last)
        try connection.shutdownWrite()
        try await answered()
        try await expectLastAnswers(answers, on: connection)
    }

    @Test func `one that sends more after its last request has as much time for the rest`() async throws {
        let (connection, answers) = try await slowReader(Self.closing)
        try await connection.send("more")
        try await answered()
        for _ in 0..<29 { await server.passSecond() }
        try await expectLastAnswers(answers, on: connection)
    }

    @Test func `but not more time than one that does not`() async throws {
        let (connection, _) = try await slowReader(Self.closing)
        for _ in 0..<30 {
            #expect(!connection.isClosedByPeer)
            try await connection.send("more")
            try await answered()
            await server.passSecond()
        }
        try await connection.waitForClose()
    }

    @Test func `one that owes a body has its time for it once it has taken its earlier responses`() async throws {
        let (connection, answers) = try await slowReader(get("/large") + Self.upload)
        try await expectAnswers(answers, on: connection)
        try await answered()
        for _ in 0..<29 { await server.passSecond() }
        #expect(!connection.isClosedByPeer)
        await server.passSecond()
        #expect(try await connection.readResponse().status == .requestTimeout)
    }

    @Test func `one that sends a body does not get more time to take its earlier responses`() async throws {
        let (connection, _) = try await slowReader(get("/large") + Self.upload)
        for byte in "hello".utf8 {
            try await connection.send([byte])
            try await answered()
            await server.passSecond()
        }
        for _ in 0..<25 { await server.passSecond() }
        try await connection.waitForClose()
    }

    @Test func `a body that came while earlier responses were not taken is read`() async throws {
        let (connection, answers) = try await slowReader(get("/large") + Self.upload)
        try await connection.send("hello")
        try await answered()
        try await expectAnswers(answers, on: connection)
        #expect(try await connection.readResponse().text == "hello")
    }

    /// Whether a client that takes this many bytes of a long response per second still gets it after a minute and a
    /// half.
    private func isServed(taking count: Int) async throws -> Bool {
        let socket = try await server.connect()
        let connection = connect(socket)
        try await connection.send(get("/huge"))
        try await answered()
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { space.deallocate() }
        for _ in 0..<90 {
            var rest = count
            while rest > 0, case let taken = read(socket, space.baseAddress, rest), taken > 0 { rest -= taken }
            try await answered()
            await server.passSecond()
        }
        return await server.unsentCount() == 1
    }

    @Test func `one that takes some now and then, and less than it must, is closed`() async throws {
        #expect(try await !isServed(taking: 5_000))
    }

    @Test func `one that takes slowly, and fast enough, is served`() async throws {
        #expect(try await isServed(taking: 40_000))
    }

    @Test func `a client is not blamed for a stream that is made slowly`() async throws {
        let connection = connect(try await server.connect())
        try await connection.send(get("/events"))
        var text = ""
        for number in 1...3 {
            event.yield(Array("<\(number)>".utf8))
            while !text.contains("<\(number)>") {
                text += String(decoding: try await connection.receive(), as: UTF8.self)
            }
            for _ in 0..<100 { await server.passSecond() }
        }
        #expect(!connection.isClosedByPeer)
    }

    @Test func `a body that is read beside the response has its time when that has been taken`() async throws {
        let connection = connect(try await server.connect())
        try await connection.send("POST /both HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
        while await server.unsentCount() == 0 { try await turn() }
        for _ in 0..<9 { await server.passSecond() }
        var count = 0
        while count < 1_000_000 { count += try await connection.receive().count }
        while await server.unsentCount() > 0 { try await turn() }
        for _ in 0..<29 { await server.passSecond() }
        #expect(!connection.isClosedByPeer)
        await server.passSecond()
        try await connection.waitForClose()
    }

    @Test func `a body may be read in one task while another sends the response`() async throws {
        let connection = connect(try await server.connect())
        try await connection.send("POST /both HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
        try await answered()
        try await connection.send("he")
        try await answered()
        try await connection.send("llo")
        let text = try await connection.readResponse().text
        #expect(text.utf8.count == 1_000_005)
        #expect(text.hasSuffix("ahello"))
    }
}
