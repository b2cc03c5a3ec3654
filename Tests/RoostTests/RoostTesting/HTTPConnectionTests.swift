import HTTPTypes
import Processes
import RoostTesting
import Testing

/// The client with servers that send exactly what a test tells them to.
@Suite(.timeLimit(.minutes(5))) struct HTTPConnectionTests {
    @Test func `one connection carries several requests`() async throws {
        let server = try CannedServer { peer in
            while case let head = peer.readHead(), !head.isEmpty {
                let path = head.split(separator: " ")[1]
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
            }
        }
        let connection = try await HTTPConnection.connect(port: server.port)
        for path in ["/", "/users", "/users/1"] {
            try await connection.send(.get, path)
            #expect(try await connection.readResponse().text == path)
        }
        try await connection.send("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n")
        #expect(try await connection.readResponse().text == "/a")
        #expect(try await connection.readResponse().text == "/b")
        #expect(!connection.isClosedByPeer)
    }

    @Test func `a request is written with host and length`() async throws {
        let server = try CannedServer { peer in
            let request = peer.readHead() + String(decoding: peer.readBody(8), as: UTF8.self)
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(request.utf8.count)\r\n\r\n\(request)")
        }
        let body = Array("name=Ada".utf8)
        let client = WireClient(port: server.port)
        let response = try await client.request(.post, "/users", headers: [.accept: "*/*"], body: body)
        #expect(
            response.text == """
                POST /users HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Length: 8\r\n\
                Accept: */*\r\nConnection: close\r\n\r\nname=Ada
                """
        )
    }

    @Test func `a 1xx counts as a response`() async throws {
        let server = try CannedServer { peer in
            _ = peer.readHead()
            peer.send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")
        }
        let connection = try await HTTPConnection.connect(port: server.port)
        try await connection.send(.put, "/", headers: [.expect: "100-continue"])
        #expect(try await connection.readResponse().status == .continue)
        #expect(try await connection.readResponse().status == .noContent)
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test func `after a half close the response can be read`() async throws {
        let server = try CannedServer { peer in
            let count = peer.readToEnd()?.count ?? -1
            peer.send("HTTP/1.1 200 OK\r\n\r\n\(count)")
        }
        let connection = try await HTTPConnection.connect(host: "localhost", port: server.port)
        try await connection.send("12345")
        try connection.shutdownWrite()
        #expect(try await connection.readResponse().text == "5")
        try await connection.waitForClose()
        #expect(connection.isClosedByPeer)
    }

    @Test func `raw bytes come as they are`() async throws {
        let server = try CannedServer { peer in
            peer.send("one")
            _ = peer.readHead()
            peer.send("two")
        }
        let connection = try await HTTPConnection.connect(port: server.port)
        #expect(try await connection.receive() == Array("one".utf8))
        try await connection.send("\r\n\r\n")
        #expect(try await connection.readToEnd() == Array("two".utf8))
        #expect(try await connection.receive().isEmpty)
    }

    @Test func `bytes that could not be read as a response can still be read`() async throws {
        let server = try CannedServer { peer in peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell") }
        let connection = try await HTTPConnection.connect(port: server.port)
        await #expect(throws: WireClientError.self) { try await connection.readResponse() }
        #expect(try await connection.readToEnd() == Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell".utf8))
    }

    @Test func `reset and close look different to the peer`() async throws {
        let (endings, report) = AsyncStream<Bool>.makeStream()
        let server = try CannedServer { peer in report.yield(peer.readToEnd() == nil) }
        var wasReset = endings.makeAsyncIterator()
        try await HTTPConnection.connect(port: server.port).reset()
        #expect(await wasReset.next() == true)
        try await HTTPConnection.connect(port: server.port).close()
        #expect(await wasReset.next() == false)
    }

    @Test func `as many connections can wait as one likes`() async throws {
        let count = 40
        let (arrivals, arrive) = AsyncStream<Void>.makeStream()
        let server = try CannedServer { peer in
            arrive.yield()
            peer.send(String(decoding: peer.readToEnd() ?? [], as: UTF8.self))
        }
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            let connections = try await connect(count, to: server)
            for connection in connections {
                group.addTask { try await connection.readToEnd().count }
            }
            // All of them wait before the first gets its response: that would block a pool of two threads.
            for await _ in arrivals.prefix(count) {}
            for connection in connections {
                try await connection.send("x")
                try connection.shutdownWrite()
            }
            return try await group.reduce(0, +)
        }
        #expect(total == count)
    }

    @Test func `one call gets one response`() async throws {
        let server = try CannedServer { peer in
            let head = peer.readHead()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + (head.hasPrefix("HEAD") ? "" : "ok"))
        }
        let client = WireClient(port: server.port)
        #expect(try await client.get("/").text == "ok")
        #expect(try await client.request(.head, "/").headers[.contentLength] == "2")
    }

    private func connect(_ count: Int, to server: CannedServer) async throws -> [HTTPConnection] {
        var connections: [HTTPConnection] = []
        for _ in 0..<count { connections.append(try await HTTPConnection.connect(port: server.port)) }
        return connections
    }
}
