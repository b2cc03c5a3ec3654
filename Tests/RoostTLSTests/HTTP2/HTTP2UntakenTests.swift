import RoostTLS
import RoostTesting
import Testing

@testable import Roost

/// What is kept for clients that ask for a response and do not take it: their windows are shut.
@Suite("HTTP/2: responses that are not taken", .timeLimit(.minutes(5)))
struct HTTP2UntakenTests {
    private let folder: CertificateFolder
    private let log = LogLines()

    init() throws { folder = try CertificateFolder() }

    /// A server with a file.
    /// - Parameter places: The number of files that may be open.
    private func server(
        _ size: Int = 1, places: Int = 4, configuration: ServerConfiguration = ServerConfiguration()
    ) async throws -> InProcessServer {
        folder.write("file", [UInt8](repeating: 1, count: size))
        let files = try StaticFiles(folder.path, budget: FileBudget(places))
        let application = try Application(
            configuration: configuration, logger: log.logger, services: [try TLS(TLSSettings())], middleware: []
        ) { routes in
            routes.get(Path("/text")) { _ in String(repeating: "a", count: 60_000) }
            routes.fallback(files)
        }
        return try await InProcessServer(
            configuration, application, services: application.services, logger: application.logger)
    }

    /// A client that takes nothing, and has asked eight times for the file.
    private func shut(_ server: InProcessServer) async throws -> HTTP2Client {
        let client = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 0))
        try await client.send((0..<8).map { _ in client.frames("GET", "/file")[0] })
        #expect(try await client.request("HEAD", "/file").status == "200")
        return client
    }

    @Test func `where places run short, small files are closed at once, and count in the memory`() async throws {
        let server = try await server(12_000)
        let shut = try await shut(server)
        // Two of the eight are still open.
        #expect(server.memory.count >= 6 * 12_000)
        #expect(try await HTTP2Client(to: server).request("/file").body.count == 12_000)
        #expect(log.all.isEmpty)
        shut.connection.close()
        while server.memory.count > 0 { try await Task.yieldOnce() }
    }

    @Test func `where there are places, small files need no memory, and none is reset`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumBufferedSize = 20_000
        let server = try await server(12_000, places: 100, configuration: configuration)
        let shut = try await shut(server)
        #expect(server.memory.count < 12_000)
        #expect(log.all.isEmpty)
        shut.connection.close()
    }

    /// Of eight places, six are for these.
    @Test func `a connection leaves as many places for large files to others as it has`() async throws {
        let server = try await server(200_000, places: 8)
        let shut = try await shut(server)
        let line = "Sent 503: local or all clients have too many files open."
        #expect(log.all == Array(repeating: line, count: 5))
        let other = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 1 << 20))
        try await other.send(.init(.windowUpdate, HTTP2Client.bytes(1 << 20)))
        #expect(try await other.request("/file").body.count == 200_000)
        shut.connection.close()
    }

    /// Of eight places, four are taken by small files that stay open, and six are for large ones.
    @Test func `small files take nothing from a connection's share of large ones`() async throws {
        let server = try await server(12_000, places: 8)
        folder.write("large", [UInt8](repeating: 1, count: 200_000))
        let client = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 0))
        try await client.send((0..<4).map { _ in client.frames("GET", "/file")[0] })
        try await client.send([client.frames("GET", "/large")[0]])
        #expect(try await client.request("HEAD", "/file").status == "200")
        #expect(log.all.isEmpty)
        client.connection.close()
    }

    @Test func `one for which there is no memory is reset and logged, once`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumBufferedSize = 20_000
        let server = try await server(configuration: configuration)
        let client = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 0))
        #expect(try await client.request("/text").reset == 2)
        #expect(try await client.request("HEAD", "/text").status == "200")
        #expect(
            log.all == ["Reset a stream whose client did not read its response: clients hold too much memory."])
    }
}
