import Engines
import RoostSQL
import Synchronization
import Testing

@testable import Roost

/// Topics in a table of each engine, on a loop as services run.
@Suite("Topics in tables", .timeLimit(.minutes(5)))
struct TopicTests {
    private static func run(
        on engine: Engine, _ body: @escaping @Sendable (Database) async throws -> Void
    ) async throws {
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 2, queue: 100))
        let result = await Task(executorPreference: loops.loops[0]) {
            try await engine.run { databases in
                try await databases[0].batch([
                    "CREATE TABLE topics (name TEXT PRIMARY KEY, last_id BIGINT NOT NULL)",
                    """
                    CREATE TABLE topic_events (topic TEXT NOT NULL, id BIGINT NOT NULL, payload TEXT NOT NULL,
                        PRIMARY KEY (topic, id))
                    """,
                ])
                try await body(databases[0])
            }
        }.result
        loops.stop()
        try result.get()
    }

    private static func started(
        _ database: Database,
        history: Int = 1000
    ) async throws -> SQLTopic<String> {
        let topic = SQLTopic<String>("news", in: database, history: history)
        try await topic.start()
        return topic
    }

    /// The next events, with the distances of their ids.
    private static func next(_ count: Int, _ subscription: TopicSubscription<String>) async throws -> [String] {
        var seen: [String] = []
        var last = subscription.lastID
        for try await message in subscription {
            #expect(message.id == last + 1 || seen.isEmpty)
            last = message.id
            seen.append(message.event)
            if seen.count == count { break }
        }
        return seen
    }

    /// The steps of a program that has added events by other statements than the topic's.
    private static func tellThatTheTableHasChanged(_ topic: SQLTopic<String>, _ database: Database) async throws {
        topic.tableHasChanged()
        if database.dialect == .postgresql { try await database.execute("SELECT pg_notify('news', '')") }
    }

    @Test(arguments: Engine.allCases)
    func `one who begins is not told what was committed before`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            let topic = try await Self.started(database)
            let first = try await topic.publish("first")
            // As a trigger adds it: it is committed, and not known here yet, unless the topic has just looked.
            try await database.execute("UPDATE topics SET last_id = \(first + 1)")
            try await database.execute("INSERT INTO topic_events VALUES ('news', \(first + 1), '\"before\"')")
            let (new, old) = (try await topic.subscribe(), try await topic.subscribe(after: "\(first)"))
            #expect(new.lastID == first + 1 && old.lastID == first)
            try await Self.tellThatTheTableHasChanged(topic, database)
            try await topic.publish("after")
            #expect(try await Self.next(1, new) == ["after"])
            #expect(try await Self.next(2, old) == ["before", "after"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `events are published when their transaction commits, and only then`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            let topic = try await Self.started(database)
            try await topic.publish("one")
            let subscription = topic.events.subscribe()
            await #expect(throws: CancellationError.self) {
                try await database.transaction { transaction in
                    try await topic.publish("never", in: transaction)
                    throw CancellationError()
                }
            }
            try await database.transaction { transaction in
                try await topic.publish("two", in: transaction)
                try await topic.publish("three", in: transaction)
                #expect(topic.events.lastID == subscription.lastID)
            }
            #expect(topic.events.lastID == subscription.lastID + 2)
            #expect(try await Self.next(2, subscription) == ["two", "three"])
            await topic.stop()
        }
    }

    @Test(arguments: Engine.allCases)
    func `after a restart, one who comes back continues where it was`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            let before = try await Self.started(database)
            for number in 1...5 { try await before.publish("\(number)") }
            let seen = before.events.lastID - 2
            await before.stop()
            let after = try await Self.started(database)
            #expect(after.events.lastID == before.events.lastID)
            let subscription = after.events.subscribe(after: "\(seen)")
            #expect(!subscription.hasMissedEvents)
            try await after.publish("6")
            #expect(try await Self.next(3, subscription) == ["4", "5", "6"])
            await after.stop()
        }
    }

    @Test(arguments: Engine.allCases)
    func `a topic reaches its last event, however few rows a query may return`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            let before = try await Self.started(database)
            for number in 1...5 { try await before.publish("\(number)") }
            await before.stop()
            let limited = Database(database.driver, configuration: DatabaseConfiguration(maximumRows: 3))
            let after = try await Self.started(limited)
            #expect(after.events.lastID == before.events.lastID)
            #expect(try await Self.next(5, after.events.subscribe(after: "\(before.events.lastID - 5)")).last == "5")
            await after.stop()
        }
    }

    @Test(arguments: Engine.allCases)
    func `the table keeps what the history keeps, and little more`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            let topic = try await Self.started(database, history: 10)
            for number in 1...150 { try await topic.publish("\(number)") }
            let count = try await database.first("SELECT count(*) FROM topic_events", as: Int.self)
            #expect(count.map { (10...110).contains($0) } == true)
            await topic.stop()
            let after = try await Self.started(database, history: 10)
            #expect(after.events.lastID == topic.events.lastID)
            #expect(!after.events.subscribe(after: "\(after.events.lastID - 10)").hasMissedEvents)
            #expect(after.events.subscribe(after: "\(after.events.lastID - 11)").hasMissedEvents)
            await after.stop()
        }
    }

    @Test(arguments: Engine.allCases)
    func `what others put into the table is read when somebody says so`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            let topic = try await Self.started(database)
            try await topic.publish("one")
            let (subscription, last) = (topic.events.subscribe(), topic.events.lastID)
            try await database.batch([
                "UPDATE topics SET last_id = last_id + 1",
                "INSERT INTO topic_events VALUES ('news', \(last + 1), '\"two\"')",
            ])
            try await Self.tellThatTheTableHasChanged(topic, database)
            #expect(try await Self.next(1, subscription) == ["two"])
            try await database.batch([
                "UPDATE topics SET last_id = last_id + 1",
                "INSERT INTO topic_events VALUES ('news', \(last + 2), 'not JSON')",
            ])
            try await Self.tellThatTheTableHasChanged(topic, database)
            while topic.events.lastID < last + 2 {
                try Task.checkCancellation()
                await Task.yield()
            }
            // What cannot be read is missed by all, who are told so.
            #expect(topic.events.subscribe(after: "\(last + 1)").hasMissedEvents)
            try await topic.publish("four")
            #expect(try await Self.next(1, topic.events.subscribe(after: "\(last + 2)")) == ["four"])
            await topic.stop()
        }
    }

    /// An event that notes when it is decoded.
    private struct Noted: Codable, Sendable {
        static let decoded = Mutex<[Int]>([])
        let number: Int

        init(_ number: Int) { self.number = number }

        init(from decoder: any Decoder) throws {
            let number = try decoder.singleValueContainer().decode(Int.self)
            Self.decoded.withLock { $0.append(number) }
            self.number = number
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    @Test(arguments: Engine.allCases)
    func `an event is decoded when somebody reads it, and once`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            let topic = SQLTopic<Noted>("numbers", in: database)
            try await topic.start()
            // Numbers of its own, since another engine's test runs at the same time.
            let numbers = engine == .sqlite ? 11...15 : 21...25
            let decoded = { Noted.decoded.withLock { $0.filter(numbers.contains) } }
            for number in numbers { try await topic.publish(Noted(number)) }
            let last = topic.events.lastID
            #expect(decoded().isEmpty)
            for _ in 1...2 {
                let messages = topic.events.subscribe(after: "\(last - 2)").makeAsyncIterator()
                #expect(try await messages.next()?.event.number == numbers.upperBound - 1)
                #expect(try await messages.next()?.event.number == numbers.upperBound)
            }
            #expect(topic.events.subscribe(last: 1).lastID == last - 1)
            #expect(decoded() == Array(numbers.suffix(2)))
            await topic.stop()
        }
    }

    @Test(arguments: Engine.allCases)
    func `an event is read, however many members it has, under any name`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            let topic = SQLTopic<[String: Int]>("words", in: database)
            try await topic.start()
            var words = Dictionary(uniqueKeysWithValues: (0...10_000).map { ("\($0)", $0) })
            words["e" + String(repeating: "\u{301}", count: 31)] = 1
            let messages = topic.events.subscribe().makeAsyncIterator()
            try await topic.publish(words)
            #expect(try await messages.next()?.event == words)
            await topic.stop()
        }
    }

    @Test(arguments: Engine.allCases)
    func `one who begins with the last events begins after one that cannot be read`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            let topic = try await Self.started(database)
            for text in ["1", "2", "3"] { try await topic.publish(text) }
            let last = topic.events.lastID
            try await database.execute("UPDATE topic_events SET payload = '2' WHERE id = \(last - 1)")
            await topic.stop()
            let after = try await Self.started(database)
            #expect(after.events.lastID == last)
            #expect(after.events.subscribe(last: 3).lastID == last - 1)
            #expect(after.events.subscribe(after: "\(last - 2)").hasMissedEvents)
            #expect(!after.events.subscribe(after: "\(last - 1)").hasMissedEvents)
            await after.stop()
        }
    }

    @Test(arguments: Engine.allCases)
    func `after a restore, one who has seen what is lost is told so`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            // An old backup, and the steps of docs/backups.md.
            let now: SQL =
                engine == .sqlite
                ? "CAST(strftime('%s', 'now') AS INTEGER) * 1000000" : "(extract(epoch FROM now()) * 1000000)::bigint"
            try await database.batch([
                "INSERT INTO topics VALUES ('news', 1000)", "INSERT INTO topic_events VALUES ('news', 1000, '\"one\"')",
                "DELETE FROM topic_events", "UPDATE topics SET last_id = \(now)",
            ])
            let topic = try await Self.started(database)
            #expect(try await topic.subscribe(after: "1001").hasMissedEvents)
            for text in ["two", "three"] { try await topic.publish(text) }
            #expect(try await topic.subscribe(after: "1001").hasMissedEvents)
            await topic.stop()
        }
    }

    @Test(arguments: Engine.allCases)
    func `a database that takes another's place is not taken for it`(engine: Engine) async throws {
        try await Self.run(on: engine) { database in
            let topic = try await Self.started(database)
            try await topic.publish("one")
            let seen = topic.events.lastID
            await topic.stop()
            try await database.batch(["DELETE FROM topics", "DELETE FROM topic_events"])
            let other = try await Self.started(database)
            try await other.publish("another one")
            #expect(other.events.subscribe(after: "\(seen)").hasMissedEvents)
            await other.stop()
        }
    }
}
