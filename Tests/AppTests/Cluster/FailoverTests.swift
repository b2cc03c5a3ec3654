import Glibc
import HTTPTypes
import Processes
import RoostTesting
import Testing

/// The site on two PostgreSQL servers, one of which follows the other. The figures are printed.
@Suite(
    "Failover",
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(10))
)
struct FailoverTests {
    /// The responses to clients while the primary died and the copy took its place.
    private struct Outcome {
        var acknowledged: Set<String> = []
        var refusals = 0
        /// From the death of the primary, and from the promotion of the copy, to the next acknowledged write.
        var gap = Duration.zero, afterPromotion = Duration.zero
    }

    /// Writes names by 20 clients until 300 have been acknowledged, does something, and goes on until the site is back
    /// and 100 more have been acknowledged.
    private func write(
        _ member: Member, round: Int, _ body: @escaping @Sendable (_ refusals: Names) async throws -> Void
    ) async -> Outcome {
        let acknowledged = Names([])
        let refusals = Names([])
        let (before, after) = (Names([]), Names([]))
        let times = Times()
        await withTaskGroup { group in
            for writer in 0..<20 {
                group.addTask {
                    var number = 0
                    while after.all.count < 100, !Task.isCancelled {
                        let name = "round \(round), writer \(writer), write \(number)"
                        number += 1
                        guard let response = try? await member.add(name) else { continue }
                        guard response.status == .created else {
                            #expect(response.status == .serviceUnavailable)
                            // A client must not repeat what may have been committed.
                            #expect([nil, "2"].contains(response.headers[.retryAfter]))
                            refusals.insert(name)
                            continue
                        }
                        acknowledged.insert(name)
                        if times.promotion != nil {
                            times.isBack()
                            after.insert(name)
                        } else if before.insert(name) == 300 {
                            times.death = .now
                            do { try await body(refusals) } catch { Issue.record(error) }
                            times.promotion = .now
                        }
                    }
                }
            }
        }
        return Outcome(
            acknowledged: acknowledged.all, refusals: refusals.all.count, gap: times.gap,
            afterPromotion: times.afterPromotion)
    }

    @Test func `kill -9 of the primary, three times: every acknowledged write is found, and the site comes back`()
        async throws
    {
        var primary = try await PostgresServer()
        var copy = try await PostgresServer(following: primary)
        let hosts = "127.0.0.1:\(primary.port),127.0.0.1:\(copy.port)"
        let url = "postgres://roost:roost@\(hosts)/roost?target_session_attrs=read-write"
        let site = try await SiteProcess.start(["DATABASE_URL": url, "WORKERS": "2"], under: SiteProcess.quiet)
        let member = try await Member(site)
        var all: Set<String> = []
        for round in 1...3 {
            try await primary.waitForCopy()
            let (dying, next) = (primary, copy)
            let outcome = await write(member, round: round) { refusals in
                try await dying.kill()
                // Somebody has noticed.
                while refusals.all.isEmpty {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                try await next.promote()
            }
            all.formUnion(outcome.acknowledged)
            let found = try await member.client.userNames()
            print(
                "failover \(round): \(outcome.acknowledged.count) acknowledged, "
                    + "\(outcome.acknowledged.intersection(found).count) of them found; \(outcome.refusals) answered "
                    + "with 503; the next write was acknowledged \(outcome.gap) after the death, and "
                    + "\(outcome.afterPromotion) after the promotion"
            )
            #expect(outcome.refusals > 0)
            #expect(all.isSubset(of: found))
            (primary, copy) = (copy, primary)
            guard round < 3 else { break }
            try await copy.copy(primary)
            try await copy.start()
        }
        #expect(try await site.terminate() == "0")
    }
}
