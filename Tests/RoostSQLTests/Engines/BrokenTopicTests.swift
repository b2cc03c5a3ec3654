import Engines
import RoostSQL
import RoostTesting
import Testing

@testable import Roost

/// Rows of the topics' tables that another program has written, or that are damaged.
@Suite("Topics whose tables are broken", .timeLimit(.minutes(5)))
struct BrokenTopicTests {
    /// A topic's tables with two events, then some statements, and a start.
    private static func run(
        on engine: Engine, _ statements: [String],
        _ body: @escaping @Sendable (SQLTopic<String>, Database, LogLines) async throws -> Void
    ) async throws {
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 2, queue: 100))
        let result = await Task(executorPreference: loops.loops[0]) {
            try await engine.run { databases in
                let database = databases[0]
                try await database.batch([
                    "CREATE TABLE topics (name TEXT PRIMARY KEY, last_id BIGINT NOT NULL)",
                    """
                    CREATE TABLE topic_events (topic TEXT NOT NULL, id BIGINT NOT NULL, payload TEXT NOT NULL,
                        PRIMARY KEY (topic, id))
                    """,
                    "INSERT INTO topics VALUES ('news', 8)",
                    "INSERT INTO topic_events VALUES ('news', 7, '\"one\"'), ('news', 8, '\"two\"')",
                ])
                try await database.batch(statements.map { SQL(unchecked: $0) })
                let log = LogLines()
                let topic = SQLTopic<String>("news", in: database, logger: log.logger)
                try await topic.start()
                try await body(topic, database, log)
                await topic.stop()
            }
        }.result
        loops.stop()
        try result.get()
    }

    private static let numbers = ["9223372036854775807", "-9223372036854775808"]

    @Test(arguments: Engine.allCases, numbers)
    func `a last id that is none is set anew, and the events before are kept`(engine: Engine, id: String) async throws {
        try await Self.run(on: engine, ["UPDATE topics SET last_id = \(id)"]) { (topic, _, log) async throws in
            let last = topic.events.lastID
            let messages = topic.events.subscribe(last: 1).makeAsyncIterator()
            #expect(try await messages.next()?.event == "two")
            #expect(try await topic.publish("three") == last + 1)
            #expect(try await messages.next()?.event == "three")
            let text = "topics had a last_id of the topic news that is no id: it has been set anew."
            #expect(log.allWithLevels == ["warning " + text])
        }
    }

    @Test(arguments: Engine.allCases, numbers)
    func `an event whose id is none is deleted, and named`(engine: Engine, id: String) async throws {
        let insertion = "INSERT INTO topic_events VALUES ('news', \(id), '\"broken\"')"
        try await Self.run(on: engine, [insertion]) { (topic, _, log) async throws in
            let messages = topic.events.subscribe(last: 2).makeAsyncIterator()
            try await topic.publish("three")
            for text in ["one", "two", "three"] { #expect(try await messages.next()?.event == text) }
            let text = "topic_events had \(id) as the id of an event of the topic news: it has been deleted."
            #expect(log.allWithLevels == ["warning " + text])
        }
    }

    /// With PostgreSQL, a topic that begins to listen may repair them first.
    @Test(arguments: numbers)
    func `numbers that are no ids end no program that runs`(id: String) async throws {
        try await Self.run(on: .sqlite, []) { (topic, database, _) async throws in
            let messages = topic.events.subscribe().makeAsyncIterator()
            let last = topic.events.lastID
            try await database.batch([
                SQL(unchecked: "UPDATE topics SET last_id = \(id)"),
                SQL(unchecked: "INSERT INTO topic_events VALUES ('news', \(id), '\"broken\"')"),
            ])
            await #expect(throws: DatabaseError.self) { try await topic.publish("lost") }
            await #expect(throws: DatabaseError.self) { try await topic.subscribe() }
            try await database.execute("UPDATE topics SET last_id = \(last)")
            try await topic.publish("three")
            #expect(try await messages.next()?.event == "three")
        }
    }

    @Test func `a payload that is no text keeps no event behind it`() async throws {
        let statements = [
            "UPDATE topics SET last_id = last_id + 1",
            "INSERT INTO topic_events SELECT 'news', last_id, x'ff00' FROM topics",
        ]
        try await Self.run(on: .sqlite, statements) { (topic, _, log) async throws in
            let last = topic.events.lastID
            let messages = topic.events.subscribe(last: 1).makeAsyncIterator()
            for text in ["three", "four"] { try await topic.publish(text) }
            for text in ["three", "four"] { #expect(try await messages.next()?.event == text) }
            #expect(topic.events.lastID == last + 2)
            let start = "error The event \(last) of the topic news cannot be read: "
            #expect(log.allWithLevels.first?.hasPrefix(start) == true)
        }
    }
}
