import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// Connections that have lived long enough are closed with a response, never between two.
@Suite("The age of a connection", .timeLimit(.minutes(5)))
struct RetirementTests {
    private func connection(
        _ change: (inout ServerConfiguration) -> Void
    ) async throws -> (TestClient, HTTPConnection) {
        var configuration = ServerConfiguration()
        configuration.idleTimeout = .seconds(1000)
        change(&configuration)
        let client = try Probe.client(configuration)
        return (client, try await client.connect())
    }

    @Test func `the response to the last request that a connection may send says so`() async throws {
        let (_, connection) = try await connection { $0.maximumRequestsPerConnection = 3 }
        try await connection.send(get("/") + get("/"))
        for _ in 0..<2 { #expect(try await connection.readResponse().headers[.connection] == nil) }
        try await connection.send(get("/") + get("/"))
        let last = try await connection.readResponse()
        #expect(last.text == "ok")
        #expect(last.headers[.connection] == "close")
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test func `an old connection is closed with its next response`() async throws {
        let (client, connection) = try await connection { $0.maximumConnectionAge = .seconds(100) }
        try await client.pass(.seconds(5))
        try await connection.send(get("/"))
        #expect(try await connection.readResponse().headers[.connection] == nil)
        try await client.pass(.seconds(94))
        try await connection.send(get("/"))
        #expect(try await connection.readResponse().headers[.connection] == nil)
        try await client.pass(.seconds(200))
        #expect(!connection.isClosedByPeer)
        try await connection.send(get("/"))
        let last = try await connection.readResponse()
        #expect(last.text == "ok")
        #expect(last.headers[.connection] == "close")
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test func `without limits it goes on`() async throws {
        let (client, connection) = try await connection { $0.maximumConnectionAge = nil }
        for _ in 0..<5 {
            try await connection.send(String(repeating: get("/"), count: 20))
            for _ in 0..<20 { #expect(try await connection.readResponse().headers[.connection] == nil) }
            try await client.pass(.seconds(900))
        }
    }
}
