import Roost
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

    /// Without an order, PostgreSQL may read the whole table: here, it finds the last row first.
    @Test(arguments: Keeping.allCases.filter { $0 != .memory })
    func `the oldest failures are deleted first`(keeping: Keeping) async throws {
        let database = try #require(try await keeping.database())
        try await database.execute(
            """
            INSERT INTO sign_in_failures (key, times, used_at)
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 21)
            SELECT 'key ' || n, '', 22 - n FROM numbers
            """)
        _ = try await SQLThrottleStore(database).update(["eve"], at: 9_000_000) { _ in }
        #expect(try await database.query("SELECT key FROM sign_in_failures", as: String.self) == ["key 1"])
    }

    @Test func `a history that is bytes counts as empty`() async throws {
        let database = try #require(try await Keeping.sqlite.database())
        try await database.execute("INSERT INTO sign_in_failures (key, times, used_at) VALUES ('ann', x'00', 0)")
        let store = SQLThrottleStore(database)
        #expect(try await store.histories(["ann"]).map(\.times) == [[]])
        _ = try await store.update(["ann"], at: 1000) { $0[0].times.append(1000) }
        #expect(try await store.histories(["ann"]).map(\.times) == [[1000]])
    }

    @Test func `of a history that is longer than any rule needs, the end is read`() {
        let history = FailureHistory(text: String(repeating: "1700000000000 ", count: 150_000) + "1700000000001")
        #expect((100_000...100_016).contains(history.times.count))
        #expect(history.times.last == 1_700_000_000_001)
    }

    @Test func `an attempt begins, and succeeds, although old failures cannot be deleted`() async throws {
        let database = try #require(try await Keeping.sqlite.database())
        try await database.execute("INSERT INTO sign_in_failures (key, times, used_at) VALUES ('old', '', 0)")
        try await database.execute(
            """
            CREATE TRIGGER no BEFORE DELETE ON sign_in_failures WHEN old.key = 'old'
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
        let throttle = Throttle(SQLThrottleStore(database))
        let verdict = try await throttle.begin(account: "ann", network: "192.0.2.1", device: nil)
        guard case .allowed(let attempt) = verdict else { throw HTTPError(.tooManyRequests) }
        try await throttle.succeed(attempt)
        #expect(try await database.query("SELECT key FROM sign_in_failures", as: String.self) == ["old"])
    }

    @Test(arguments: [true, false])
    func `an attempt is taken back although its client has gone`(isRight: Bool) async throws {
        let store = CancellableStore()
        let throttle = Throttle(store)
        let verdict = try await throttle.begin(account: "ann", network: "192.0.2.1", device: nil)
        guard case .allowed(let attempt) = verdict else { throw HTTPError(.tooManyRequests) }
        #expect(store.memory.count == 3)
        try? await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await isRight ? throttle.succeed(attempt) : throttle.withdraw(attempt)
        }.value
        #expect(store.memory.count == 0)
    }
}

/// A store in memory that, like one over a network, does nothing for a task that is cancelled.
private struct CancellableStore: ThrottleStore {
    let memory = MemoryThrottleStore()

    func histories(_ keys: [String]) throws -> [FailureHistory] {
        try Task.checkCancellation()
        return memory.histories(keys)
    }

    func update<Value: Sendable>(
        _ keys: [String], at now: Int, _ change: @escaping @Sendable (inout [FailureHistory]) -> Value
    ) throws -> Value {
        try Task.checkCancellation()
        return memory.update(keys, at: now, change)
    }
}
