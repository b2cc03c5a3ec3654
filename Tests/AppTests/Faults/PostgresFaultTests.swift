import FoundationEssentials
import Glibc
import HTTPTypes
import Processes
import RoostTesting
import Testing

/// The site on PostgreSQL when it dies, or the server does. The figures are printed.
@Suite(
    "Faults of PostgreSQL",
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(10))
)
struct PostgresFaultTests {
    /// Writes 1,000 names by 20 clients, does something after 500, and returns the names that were acknowledged.
    /// - Parameter retries: Whether clients that get no response try again, until one of them has been refused.
    private func write(
        _ member: Member,
        retries: Bool,
        inBetween body: @escaping @Sendable (_ refusals: Names) async -> Void
    ) async -> (acknowledged: Set<String>, refusals: Int) {
        let acknowledged = Names(["Nelson", "Cathy"])
        let refusals = Names([])
        await withTaskGroup { group in
            for writer in 0..<20 {
                group.addTask {
                    var number = 0
                    while number < 50 || retries && refusals.all.isEmpty, !Task.isCancelled {
                        let name = "writer \(writer), write \(number)"
                        number += 1
                        let response = try? await member.add(name)
                        if response?.status == .created {
                            if acknowledged.insert(name) == 500 { await body(refusals) }
                        } else if let response {
                            #expect(response.status == .serviceUnavailable)
                            // A client must not repeat what may have been committed.
                            #expect([nil, "2"].contains(response.headers[.retryAfter]))
                            refusals.insert(name)
                        }
                        if response == nil, !retries { return }
                    }
                }
            }
        }
        return (acknowledged.all, refusals.all.count)
    }

    @Test func `kill -9 of the site during 1,000 writes: every acknowledged one is found`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        let site = try await SiteProcess.start(["DATABASE_URL": url, "WORKERS": "2"], under: SiteProcess.quiet)
        let (kept, _) = await write(try await Member(site), retries: false) { _ in site.signal(SIGKILL) }
        #expect(try await site.exitCode() == "137")
        let second = try await SiteProcess.start(["DATABASE_URL": url], under: SiteProcess.quiet)
        let found = try await WireClient(port: second.port).userNames()
        print(
            "postgres faults: kill -9 of the site: \(kept.count) acknowledged, "
                + "\(found.intersection(kept).count) found of "
                + "them, \(found.count) found in all"
        )
        #expect(kept.count >= 500)
        #expect(kept.isSubset(of: found))
        #expect(try await second.terminate() == "0")
    }

    @Test func `kill -9 of the server during 1,000 writes: 503, and every acknowledged one is found`() async throws {
        let server = try await PostgresServer()
        let settings = ["DATABASE_URL": server.url(), "WORKERS": "2"]
        let site = try await SiteProcess.start(settings, under: SiteProcess.quiet)
        let (kept, refusals) = await write(try await Member(site), retries: true) { refusals in
            do {
                try await server.kill()
                while refusals.all.isEmpty {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                try await server.start()
            } catch {
                Issue.record(error)
            }
        }
        let client = WireClient(port: site.port)
        while try await client.get("/users/1").status != .ok { try await turn() }
        let found = try await client.userNames()
        print(
            "postgres faults: kill -9 of the server: \(kept.count) acknowledged, "
                + "\(found.intersection(kept).count) found of "
                + "them, \(found.count) found in all, \(refusals) answered with 503"
        )
        #expect(kept.count >= 500)
        #expect(refusals > 0)
        #expect(kept.isSubset(of: found))
        #expect(try await site.terminate() == "0")
    }

    @Test func `a server that is down at the start: 503 with Retry-After, and no restart when it is there`()
        async throws
    {
        let server = try await PostgresServer()
        try await server.stop()
        let log = server.folder + "/site.log"
        let site = try await SiteProcess.start(
            ["DATABASE_URL": server.url()],
            under: ["sh", "-c", "exec \"$0\" \"$@\" 2>\(log)"]
        )
        let client = WireClient(port: site.port)
        let refusal = try await client.get("/users/1")
        #expect(refusal.status == .serviceUnavailable)
        #expect(refusal.headers[.retryAfter] == "2")
        #expect(!refusal.text.contains("refused"))
        #expect(try await client.get("/").status == .ok)
        try await server.start()
        while try await client.get("/users/1").status != .ok { try await turn() }
        #expect(try await client.userNames() == ["Nelson", "Cathy"])
        #expect(try await site.terminate() == "0")
        let lines = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(lines.contains("Connection refused"))
        #expect(lines.contains("The database can be reached again."))
        #expect(!lines.contains("roost:roost"))
    }

    @Test func `a server that refuses the site stops the start with a sentence and code 78`() async throws {
        let port = try await PostgresServer.shared().port
        let refusals = [
            ("roost:secret@127.0.0.1:\(port)/roost", "password authentication failed for user \"roost\"."),
            ("roost:roost@127.0.0.1:\(port)/nowhere", "database \"nowhere\" does not exist."),
            ("roost:roost@127.0.0.1:99999/roost", "DATABASE_URL cannot be used: invalid port number."),
            ("roost:roost@[::1/roost", "DATABASE_URL is not a PostgreSQL URL"),
        ]
        for (rest, sentence) in refusals {
            let (output, code) = try await SiteProcess.fail(["DATABASE_URL": "postgres://" + rest])
            #expect(code == "78", "\(output)")
            #expect(output.contains(sentence), "\(output)")
            #expect(!output.contains("secret") && !output.contains("Roost answers"), "\(output)")
        }
    }

    @Test func `in production migrations wait for the command`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        let production = ["DATABASE_URL": url, "ROOST_ENV": "production"]
        let site = try await SiteProcess.start(production, under: SiteProcess.quiet)
        let client = WireClient(port: site.port)
        #expect(try await client.get("/users/1").status == .internalServerError)
        let (output, code) = try await SiteProcess.fail(
            production.merging(["ROOST_ENV": "production"]) { $1 }, ["migrate"])
        #expect(code == "0", "\(output)")
        #expect(output.contains("users: applied now"))
        #expect(try await client.get("/users/1").status == .ok)
        #expect(try await site.terminate() == "0")
        let other = production.merging([
            "DATABASE_URL": try await PostgresServer.shared().makeDatabase(), "MIGRATE": "1",
        ]) { $1 }
        let second = try await SiteProcess.start(other, under: SiteProcess.quiet)
        #expect(try await WireClient(port: second.port).get("/users/1").status == .ok)
        #expect(try await second.terminate() == "0")
    }
}
