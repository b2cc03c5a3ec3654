import Logging
import Processes
import RoostSQL
import RoostTesting
import Testing

@testable import RoostPostgres

@Suite(.timeLimit(.minutes(5)))
struct PasswordWarningTests {
    @Test func `only this machine and a verified server are trusted with a password`() {
        for mode in ["disable", "allow", "prefer", "require", ""] {
            for address in ["", "127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"] {
                #expect(!PasswordWarning.isExposed(address: address, mode: mode), "\(address)")
            }
            for address in ["10.0.0.1", "128.0.0.1", "::2", "::", "::ffff:10.0.0.1", "fe80::1%eth0", "1:0:0:0:0:0:0:1"]
            {
                #expect(PasswordWarning.isExposed(address: address, mode: mode), "\(address)")
            }
        }
        for mode in ["verify-ca", "verify-full"] {
            #expect(!PasswordWarning.isExposed(address: "10.0.0.1", mode: mode))
        }
    }

    @Test(
        .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
        // The last is also this machine, but only Linux knows that: here it stands for another one.
        arguments: [("127.0.0.1", 0), ("SOCKET", 0), ("0.0.0.0", 1)])
    func `it is logged once, however many connections there are`(host: String, count: Int) async throws {
        let server = try await PostgresServer.shared()
        let log = LogLines(.warning)
        try await Place.loop.run {
            let host = host == "SOCKET" ? server.folder : host
            let url = "host=\(host) port=\(server.port) user=roost password=roost dbname=roost"
            let driver = try PostgresDriver(url, configuration: .patient, logger: log.logger)
            let deadline = ContinuousClock.now + .seconds(100)
            let entries = [try await driver.pool.take(until: deadline), try await driver.pool.take(until: deadline)]
            for entry in entries { driver.pool.giveBack(entry) }
            await driver.stop()
        }
        let warnings = log.all.filter { $0.contains("nothing proves that it is the right server (sslmode=prefer)") }
        #expect(warnings.count == count)
        #expect(!log.all.joined().contains("roost:roost"))
    }
}
