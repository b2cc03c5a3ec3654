import Processes
import RoostSQL
import Testing

@testable import Roost
@testable import RoostPostgres

/// Reads that share a connection to a server far away.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct SlowLinkTests {
    @Test func `a reply that is long on its way is waited for, and nothing is cancelled`() async throws {
        let server = try await PostgresServer.shared()
        let url = try await server.makeDatabase()
        let link = try SlowLink(to: server.port)
        defer { link.close() }
        // Longer than replies will take, so that a busy machine makes no difference.
        link.delay(.milliseconds(700))
        try await Place.loop.run {
            let configuration = PostgresConfiguration(maximumConnections: 1).patient
            let near = url.replacing(":\(server.port)/", with: ":\(link.port)/") + "?sslmode=disable"
            let driver = try PostgresDriver(near, configuration: configuration, logger: .silent)
            let database = Database(driver, configuration: .patient, logger: .silent)
            try await database.start()
            link.delay(.milliseconds(250))
            let times = await Numbers.all(0..<20) { number in
                try await database.first("SELECT CURRENT_TIMESTAMP::text WHERE 1 <> \(number + 2)", as: String.self)
            }
            #expect(Set(try times.map { try $0.get() }).count == 1)
            // To ask the server to end a statement takes a connection of its own.
            #expect(link.connectionCount == 1)
            // Nor do these texts go alone from now on.
            link.delay(.zero)
            let later = await Numbers.all(0..<20) { number in
                try await database.first("SELECT CURRENT_TIMESTAMP::text WHERE 1 <> \(number + 2)", as: String.self)
            }
            #expect(Set(try later.map { try $0.get() }).count == 1)
            await database.stop()
        }
    }

    @Test func `a shorter time of the way counts at once, a longer one little by little`() {
        var way = RoundTrip(.milliseconds(100))
        way.note(.milliseconds(20))
        #expect(way.time == .milliseconds(20))
        way.note(.milliseconds(100))
        #expect(way.time == .milliseconds(30))
        for _ in 0..<60 { way.note(.milliseconds(100)) }
        #expect(way.time > .milliseconds(99) && way.time <= .milliseconds(100))
        way.note(.zero)
        #expect(way.time == .zero)
    }

    @Test func `others are held up for a tenth of a second, and the way there and back`() {
        #expect(ReadPipeline.looks(RoundTrip(.zero)) == 5)
        #expect(ReadPipeline.looks(RoundTrip(.milliseconds(1))) == 6)
        #expect(ReadPipeline.looks(RoundTrip(.milliseconds(200))) == 15)
    }
}
