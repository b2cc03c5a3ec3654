import HTTPTypes
import Processes
import RoostTesting
import Testing

/// The errors of a test's client when the server is wrong: each occurs on a real socket, and its text is checked.
@Suite(.timeLimit(.minutes(5))) struct WireClientErrorTests {
    @Test func `nothing listens`() async throws {
        await expect("cannot connect to 127.0.0.1:1: connect failed: Connection refused") {
            _ = try await HTTPConnection.connect(port: 1)
        }
        // An invalid name, so that no name server on the network is asked.
        await expect("cannot connect to ::1%none:80: Name or service not known") {
            _ = try await HTTPConnection.connect(host: "::1%none", port: 80)
        }
    }

    @Test func `the server does not answer`() async throws {
        let server = try CannedServer { peer in _ = peer.readToEnd() }
        let connection = try await HTTPConnection.connect(port: server.port, timeout: .milliseconds(50))
        await expect("timed out after 0.05 s waiting for the head of the response; nothing received so far") {
            _ = try await connection.readResponse()
        }
        await expect("timed out after 0.05 s waiting for the peer to close the connection; nothing received so far") {
            try await connection.waitForClose()
        }
    }

    @Test func `the server does not read`() async throws {
        let (sent, finishSending) = AsyncStream<Void>.makeStream()
        let server = try CannedServer { peer in
            peer.waitForReset()
            finishSending.yield()
        }
        let connection = try await HTTPConnection.connect(port: server.port, timeout: .milliseconds(50))
        let error = await #expect(throws: WireClientError.self) {
            try await connection.send([UInt8](repeating: 0, count: 50_000_000))
        }
        #expect("\(error, default: "")".contains("waiting for the peer to take 50000000 bytes (it took "))
        connection.reset()
        for await _ in sent.prefix(1) {}
    }

    @Test func `the server closes too early`() async throws {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 200 OK\r\n")
        }
        await expect(
            """
            the peer closed the connection before the head of the response was complete; \
            received so far: "HTTP/1.1 200 OK\\r\\n"
            """
        ) { _ = try await WireClient(port: server.port).get("/") }
    }

    @Test func `the server resets the connection`() async throws {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.resetOnClose()
        }
        await expect(
            "the peer reset the connection, waiting for the head of the response; nothing received so far"
        ) { _ = try await WireClient(port: server.port).get("/") }
    }

    @Test func `the server writes a body where none belongs`() async throws {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        await expect(
            #"malformed response: bytes follow the response; received so far: "ok""#
        ) { _ = try await WireClient(port: server.port).request(.head, "/") }
    }

    @Test func `the connection was closed on this side`() async throws {
        let server = try CannedServer { peer in _ = peer.readToEnd() }
        let connection = try await HTTPConnection.connect(port: server.port)
        let reading = Task { try await connection.readResponse() }
        connection.close()
        await #expect(throws: WireClientError.closedHere) { try await reading.value }
        await #expect(throws: WireClientError.closedHere) { try await connection.send("x") }
        #expect(throws: WireClientError.closedHere) { try connection.shutdownWrite() }
        #expect(connection.isClosedByPeer)
        connection.close()
    }

    private func expect(
        _ sentence: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: WireClientError.self, sourceLocation: sourceLocation) { try await body() }
        #expect(error.map { "\($0)" } == sentence, sourceLocation: sourceLocation)
    }
}
