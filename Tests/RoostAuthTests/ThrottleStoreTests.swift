import RoostSQL
import RoostTesting
import Testing

@testable import RoostAuth

@Suite("The table of failures", .quietLog, .timeLimit(.minutes(5)))
struct ThrottleStoreTests {
    @Test(arguments: Keeping.allCases.filter { $0 == .postgresql })
    func `a history that grows while others are swept stays`(keeping: Keeping) async throws {
        let database = try #require(try await keeping.database())
        let store = SQLThrottleStore(database)
        let (old, new) = (1000, 9_000_000)
        _ = try await store.update(["ann", "ben"], at: old) { histories in
            for index in histories.indices { histories[index].times = [old] }
        }
        try await database.transaction { transaction in
            try await transaction.execute("UPDATE sign_in_failures SET used_at = \(new) WHERE key = 'ann'")
            try await Task.detached { try await store.update(["eve"], at: new) { _ in } }.value
        }
        #expect(try await store.histories(["ann", "ben"]).map(\.times) == [[old], []])
    }
}
