import Glibc
import HTTPTypes
import Processes
import Roost
import RoostTesting
import Synchronization
import Testing

/// Several instances of the site on one PostgreSQL, behind nginx. The figures are printed.
@Suite(
    "Instances",
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .enabled(if: Proxy.isInstalled, "nginx is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(10))
)
struct InstancesTests {
    /// Three instances that start at the same time on a database that is still empty.
    private func start(_ variables: [String: String] = [:]) async throws -> [SiteProcess] {
        let settings = ["DATABASE_URL": try await PostgresServer.shared().makeDatabase(), "WORKERS": "1"]
            .merging(variables) { $1 }
        return try await withThrowingTaskGroup { group in
            for _ in 0..<3 { group.addTask { try await SiteProcess.start(settings, under: SiteProcess.quiet) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `a visitor who signs in at one is known to all, and all show what one changes`() async throws {
        let sites = try await start()
        let member = try await Member(sites[0])
        for site in sites { #expect(try await member.at(port: site.port).isKnown()) }
        let created = try await member.at(port: sites[1].port).add("Ada")
        #expect(created.status == .created)
        let path = try #require(created.headers[.location])
        for site in sites { #expect(try await WireClient(port: site.port).get(path).text.contains("Ada")) }
        let headers: Headers = [.contentType: "application/json", .cookie: member.cookie]
        let renamed = try await WireClient(port: sites[2].port).request(
            .patch,
            path,
            headers: headers,
            body: Array(#"{"name":"Grace"}"#.utf8)
        )
        #expect(renamed.status.code < 300)
        for site in sites { #expect(try await WireClient(port: site.port).get(path).text.contains("Grace")) }
        let gone = try await WireClient(port: sites[0].port).request(
            .post, "/logout", headers: [.cookie: member.cookie])
        #expect(gone.status == .noContent)
        for site in sites { #expect(try await member.at(port: site.port).isKnown() == false) }
        for site in sites { #expect(try await site.terminate() == "0") }
    }

    @Test func `one that is stopped under load loses no data and no visitor`() async throws {
        let sites = try await start()
        let proxy = try await Proxy(before: sites.map(\.port))
        let member = try await Member(port: proxy.port)
        let acknowledged = Names(["Nelson", "Cathy"])
        let failures = Names([])
        await withTaskGroup { group in
            for writer in 0..<20 {
                group.addTask {
                    for number in 0..<40 {
                        let name = "writer \(writer), write \(number)"
                        do {
                            let response = try await member.add(name)
                            if response.status != .created { failures.insert("\(name): \(response.status)") }
                            if acknowledged.insert(name) == 300 { sites[0].signal(SIGTERM) }
                            if try await !member.isKnown() { failures.insert("\(name): a stranger") }
                        } catch {
                            failures.insert("\(name): \(error)")
                        }
                    }
                }
            }
        }
        let found = try await WireClient(port: proxy.port).userNames()
        print(
            "instances: \(acknowledged.all.count - 2) writes and as many pages by 20 clients, one of three instances "
                + "stopped after 300: \(failures.all.count) failed, "
                + "\(found.intersection(acknowledged.all).count - 2) found"
        )
        #expect(failures.all == [])
        #expect(acknowledged.all.count == 802)
        #expect(found == acknowledged.all)
        #expect(try await sites[0].exitCode() == "0")
        for site in sites.dropFirst() { #expect(try await site.terminate() == "0") }
        try await proxy.stop()
    }
}
