import FoundationEssentials
import Glibc
import Processes
import Roost
import RoostTesting
import Testing

@testable import App

/// The events of the list, with several instances on one PostgreSQL. The figures are printed.
@Suite(
    "The live list, with several instances",
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(10))
)
struct LiveListTests {
    @Test func `each of 500 readers sees every event once, though one of three instances is killed`() async throws {
        let settings = ["DATABASE_URL": try await PostgresServer.shared().makeDatabase(), "WORKERS": "1"]
        var sites: [SiteProcess] = []
        for _ in 0..<3 { sites.append(try await SiteProcess.start(settings, under: SiteProcess.quiet)) }
        let ports = sites.map(\.port)
        let placed = Latch()
        async let readers = BlockingThread.run { () -> [EventReaders.Reader] in
            let readers = EventReaders(500, of: "/users/events", at: ports)
            try readers.run { $0.allSatisfy(\.hasPlace) }
            placed.open()
            try readers.run { $0.allSatisfy { $0.lastEvent?.data.contains("the end") ?? false } }
            return readers.readers
        }
        await placed.wait()
        let member = try await Member(port: ports[1])
        let victim = sites[0]
        let acknowledged = Names([])
        await withTaskGroup { group in
            for writer in 0..<6 {
                group.addTask {
                    for number in 0..<30 {
                        let name = "writer \(writer), write \(number)"
                        let site = member.at(port: ports[writer.isMultiple(of: 3) && number < 5 ? 0 : 1 + number % 2])
                        guard (try? await site.add(name).status) == .created else { continue }
                        if acknowledged.insert(name) == 60 { victim.signal(SIGKILL) }
                    }
                }
            }
        }
        // The last event of all, which ends the reading.
        #expect(try await member.add("the end").status == .created)
        let all = try await readers
        let names = try await WireClient(port: ports[2]).userNames().subtracting(["Nelson", "Cathy"])
        #expect(names.isSuperset(of: acknowledged.all))
        let sequence = all[0].events
        #expect(sequence.allSatisfy { $0.type == "added" })
        let ids = sequence.compactMap { Int($0.lastID) }
        #expect(ids == Array((ids.first ?? 0)..<((ids.first ?? 0) + names.count)))
        let seen = try sequence.map { try JSONDecoder().decode(Named.self, from: Data($0.data.utf8)).name }
        #expect(Set(seen) == names)
        #expect(seen.count == names.count)
        #expect(all.count == 500)
        for reader in all { #expect(reader.events == sequence) }
        let returned = all.count { $0.reconnections > 0 }
        #expect(returned >= 166)
        print(
            "live list: 500 readers at three instances, one killed after 60 of \(names.count) writes: \(returned) came "
                + "back, each saw each of \(sequence.count) events once"
        )
        for site in sites.dropFirst() { #expect(try await site.terminate() == "0") }
    }
}

/// The part of an event that the test reads.
private struct Named: Decodable {
    let name: String
}
