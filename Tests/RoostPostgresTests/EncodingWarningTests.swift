import Glibc
import Logging
import Processes
import RoostSQL
import RoostTesting
import Testing

@testable import RoostPostgres

@Suite(.timeLimit(.minutes(5)))
struct EncodingWarningTests {
    @Test(
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
        arguments: [("LATIN1", 1), ("UTF8", 0), ("SQL_ASCII", 0)])
    func `a database that cannot keep all letters is told at the start`(encoding: String, count: Int) async throws {
        let server = try await PostgresServer.shared()
        let name = "encoding_\(encoding.lowercased())_\(getpid())"
        let settings = "ENCODING '\(encoding)' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"
        try await server.psql("CREATE DATABASE \(name) \(settings)")
        let log = LogLines(.warning)
        let url = server.url(name)
        try await Place.loop.run {
            let driver = try PostgresDriver(url, configuration: .patient, logger: log.logger)
            try await driver.start()
            await driver.stop()
        }
        try await server.psql("DROP DATABASE \(name) WITH (FORCE)")
        #expect(log.all.count == count)
        #expect(log.all.allSatisfy { $0.contains("The database keeps texts as \(encoding), so it refuses letters") })
    }
}
