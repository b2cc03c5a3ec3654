import Processes
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostPostgres

/// Topics in a table of PostgreSQL: several instances, as far as they know, that share one database.
@Suite(
    "Topics in PostgreSQL",
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5))
)
struct TopicTests {
    /// Tables that have no events yet.
    private func makeTables(_ url: String) async throws {
        try await withDatabase(url) { database in
            try await database.batch([
                "CREATE TABLE topics (name TEXT PRIMARY KEY, last_id BIGINT NOT NULL)",
                """
                CREATE TABLE topic_events (topic TEXT NOT NULL, id BIGINT NOT NULL, payload TEXT NOT NULL,
                    PRIMARY KEY (topic, id))
                """,
                "INSERT INTO topics VALUES ('news', 100)",
            ])
        }
    }

    private func withDatabase(
        _ url: String,
        _ configuration: PostgresConfiguration = .patient,
        _ body: @escaping @Sendable (Database) async throws -> Void
    ) async throws {
        try await Place.loop.run {
            let driver = try PostgresDriver(url, configuration: configuration, logger: .silent)
            let database = Database(driver, configuration: .patient, logger: .silent)
            try await database.start()
            let result: Result<Void, any Error>
            do { result = .success(try await body(database)) } catch { result = .failure(error) }
            await database.stop()
            try result.get()
        }
    }

    /// Runs an instance with a topic.
    private func withTopic(
        _ url: String,
        history: Int = 10_000,
        _ configuration: PostgresConfiguration = .patient,
        _ body: @escaping @Sendable (SQLTopic<String>, Database) async throws -> Void
    ) async throws {
        try await withDatabase(url, configuration) { database in
            let topic = SQLTopic<String>("news", in: database, history: history, logger: .silent)
            try await topic.start()
            let result: Result<Void, any Error>
            do { result = .success(try await body(topic, database)) } catch { result = .failure(error) }
            await topic.stop()
            try result.get()
        }
    }

    private static func next(_ count: Int, _ subscription: TopicSubscription<String>) async throws -> [String] {
        var seen: [String] = []
        var last = subscription.lastID
        for try await message in subscription {
            #expect(message.id == last + 1)
            last = message.id
            seen.append(message.event)
            if seen.count == count { break }
        }
        return seen
    }

    @Test func `many instances publish at once, and each sees all, in the same order, with the same ids`() async throws
    {
        let url = try await PostgresServer.shared().makeDatabase()
        try await makeTables(url)
        let (instances, writers, each) = (3, 8, 25)
        let total = instances * writers * each
        let (ready, go) = (Arrivals(instances), Latch())
        let all = try await withThrowingTaskGroup(of: [String].self) { group in
            for instance in 0..<instances {
                group.addTask {
                    let seen = Collected()
                    try await withTopic(url) { topic, database in
                        let subscription = topic.events.subscribe()
                        ready.arrive(go)
                        while !go.isOpen { try await turn() }
                        async let events = Self.next(total, subscription)
                        try await withThrowingTaskGroup { group in
                            for writer in 0..<writers {
                                group.addTask {
                                    for number in 0..<each {
                                        // Some are undone, and leave no gap.
                                        if number.isMultiple(of: 5) { try? await undone(topic, database) }
                                        try await topic.publish("\(instance) \(writer) \(number)")
                                    }
                                }
                            }
                            try await group.waitForAll()
                        }
                        seen.set(try await events)
                    }
                    return seen.events
                }
            }
            return try await group.reduce(into: [[String]]()) { $0.append($1) }
        }
        #expect(all.count == instances)
        for events in all { #expect(events == all[0]) }
        #expect(Set(all[0]).count == total)
        // What one writer has published is in the order in which it did.
        let mine = all[0].filter { $0.hasPrefix("1 3 ") }
        #expect(mine == (0..<each).map { "1 3 \($0)" })
    }

    private func undone(_ topic: SQLTopic<String>, _ database: Database) async throws {
        try await database.transaction { transaction in
            try await topic.publish("never", in: transaction)
            throw CancellationError()
        }
    }

    @Test func `an event that is too large for a notification arrives all the same`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await makeTables(url)
        let texts =
            [7890, 7897, 7898, 7899, 7900, 8000, 100_000].map { String(repeating: "x", count: $0) }
            + [String(repeating: "ü", count: 4000), "a b", ""]
        try await withTopic(url) { topic, _ in
            let subscription = topic.events.subscribe()
            try await withTopic(url) { other, _ in
                for text in texts { try await other.publish(text) }
            }
            #expect(try await Self.next(texts.count, subscription) == texts)
        }
    }

    @Test func `an instance that starts reads more large events than one result may have`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await makeTables(url)
        let texts = (1...20).map { "\($0)" + String(repeating: "x", count: 10_000) }
        try await withTopic(url) { topic, _ in
            for text in texts { try await topic.publish(text) }
        }
        try await withTopic(url, PostgresConfiguration(maximumResultSize: 1 << 16).patient) { topic, _ in
            try #require(topic.events.lastID == 120)
            let subscription = try await topic.subscribe(after: "110")
            #expect(try await Self.next(10, subscription) == Array(texts[10...]))
        }
    }

    @Test func `nothing is missed while the server is restarted`() async throws {
        let server = try await PostgresServer()
        let url = try await server.makeDatabase()
        try await makeTables(url)
        try await withTopic(url) { topic, _ in
            let subscription = topic.events.subscribe()
            try await topic.publish("one")
            try await server.kill()
            try await server.start()
            // Before the topic listens again, when the notification is lost, or after.
            _ = try await server.psql(
                """
                UPDATE topics SET last_id = last_id + 1;
                INSERT INTO topic_events SELECT 'news', last_id, '"two"' FROM topics;
                SELECT pg_notify('news', '')
                """,
                database: String(url.split(separator: "/").last ?? "")
            )
            #expect(try await Self.next(2, subscription) == ["one", "two"])
            try await topic.publish("three")
            #expect(try await Self.next(1, topic.events.subscribe(after: "\(topic.events.lastID - 1)")) == ["three"])
        }
        try await server.stop()
    }

    @Test func `an instance that has been away for longer than the table reaches says so`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await makeTables(url)
        try await withTopic(url, history: 10) { topic, database in
            try await topic.publish("one")
            let subscription = topic.events.subscribe()
            let messages = subscription.makeAsyncIterator()
            // Without a notification, as if the connection had been lost.
            try await database.batch([
                "DELETE FROM topic_events", "UPDATE topics SET last_id = last_id + 50",
                "INSERT INTO topic_events SELECT 'news', last_id, '\"late\"' FROM topics",
            ])
            try await topic.publish("after it")
            await #expect(throws: FellBehind.self) { try await messages.next() }
            #expect(topic.events.subscribe(after: "\(subscription.lastID)").hasMissedEvents)
            #expect(try await Self.next(1, topic.events.subscribe(after: "\(topic.events.lastID - 1)")) == ["after it"])
        }
    }

    @Test func `a topic waits for a table that is missing`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await withTopic(url) { topic, _ in
            #expect(topic.events.lastID == 0)
            try await makeTables(url)
            while topic.events.lastID == 0 { try await turn() }
            #expect(topic.events.lastID == 100)
        }
    }
}

/// Opens a latch when all have arrived.
private final class Arrivals: Sendable {
    private let missing: Mutex<Int>

    init(_ count: Int) { missing = Mutex(count) }

    func arrive(_ latch: Latch) {
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { latch.open() }
    }
}

private final class Collected: Sendable {
    private let list = Mutex<[String]>([])
    var events: [String] { list.withLock { $0 } }
    func set(_ events: [String]) { list.withLock { $0 = events } }
}
