import Glibc
import HTTPTypes
import Processes
import RoostTesting
import Testing

/// Three instances of the site on one PostgreSQL behind HAProxy, restarted one after the other. The figures are
/// printed.
@Suite(
    "Rolling restart",
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .enabled(if: LoadBalancer.isInstalled, "HAProxy is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(10))
)
struct RollingRestartTests {
    @Test func `no request fails while all three are restarted`() async throws {
        let settings = ["DATABASE_URL": try await PostgresServer.shared().makeDatabase(), "WORKERS": "1"]
        func start(_ port: Int) async throws -> SiteProcess {
            try await SiteProcess.start(
                settings.merging(["PORT": "\(port)"]) { $1 }, under: SiteProcess.quiet)
        }
        var sites: [SiteProcess] = []
        for _ in 0..<3 { sites.append(try await start(try FreePort.next())) }
        let balancer = try await LoadBalancer(before: sites.map(\.port))
        for site in sites { try await balancer.wait(for: site.port, isUp: true) }
        let member = try await Member(port: balancer.port)
        let acknowledged = Names(["Nelson", "Cathy"])
        let failures = Names([])
        let end = Names([])
        await withTaskGroup { group in
            for writer in 0..<20 {
                group.addTask {
                    var number = 0
                    while end.all.isEmpty, !Task.isCancelled {
                        let name = "writer \(writer), write \(number)"
                        number += 1
                        do {
                            let response = try await member.add(name)
                            if response.status != .created { failures.insert("\(name): \(response.status)") }
                            acknowledged.insert(name)
                            if try await !member.isKnown() { failures.insert("\(name): a stranger") }
                        } catch {
                            failures.insert("\(name): \(error)")
                        }
                    }
                }
            }
            do {
                for index in sites.indices {
                    let port = sites[index].port
                    #expect(try await sites[index].terminate() == "0")
                    sites[index] = try await start(port)
                    try await balancer.wait(for: port, isUp: true)
                }
            } catch {
                Issue.record(error)
            }
            end.insert("now")
        }
        let found = try await WireClient(port: balancer.port).userNames()
        print(
            "rolling restart: \(acknowledged.all.count - 2) writes and as many pages by 20 clients while three "
                + "instances were restarted: \(failures.all.count) failed"
        )
        #expect(failures.all == [])
        #expect(found == acknowledged.all)
        for site in sites { #expect(try await site.terminate() == "0") }
        try await balancer.stop()
    }
}
