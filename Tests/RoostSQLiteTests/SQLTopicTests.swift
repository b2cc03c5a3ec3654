import RoostSQL
import RoostSQLite
import Synchronization
import Testing

@testable import Roost

/// Topics in a table of SQLite, on a loop as services run.
@Suite("Topics in SQLite", .timeLimit(.minutes(5)))
struct SQLTopicTests {
    private static func run(_ body: @escaping @Sendable (Database) async throws -> Void) async throws {
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 2, queue: 100))
        let result = await Task(executorPreference: loops.loops[0]) {
            try await Scratch.run { database, _ in
                try await database.execute("CREATE TABLE topics (name TEXT PRIMARY KEY, last_id BIGINT NOT NULL)")
                try await database.execute(
                    """
                    CREATE TABLE topic_events (topic TEXT NOT NULL, id BIGINT NOT NULL, payload TEXT NOT NULL,
                        PRIMARY KEY (topic, id))
                    """
                )
                try await body(database)
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

    @Test func `one who begins is not told what was committed before`() async throws {
        try await Self.run { database in
            let topic = try await Self.started(database)
            let first = try await topic.publish("first")
            // As a trigger adds it: it is committed, and not known here yet.
            try await database.execute("UPDATE topics SET last_id = \(first + 1)")
            try await database.execute("INSERT INTO topic_events VALUES ('news', \(first + 1), '\"before\"')")
            let (new, old) = (try await topic.subscribe(), try await topic.subscribe(after: "\(first)"))
            #expect(new.lastID == first + 1 && old.lastID == first && topic.events.lastID == first)
            topic.tableHasChanged()
            try await topic.publish("after")
            #expect(try await Self.next(1, new) == ["after"])
            #expect(try await Self.next(2, old) == ["before", "after"])
        }
    }

    @Test func `events are published when their transaction commits, and only then`() async throws {
        try await Self.run { database in
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

    @Test func `after a restart, one who comes back continues where it was`() async throws {
        try await Self.run { database in
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

    @Test func `the table keeps what the history keeps, and little more`() async throws {
        try await Self.run { database in
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

    @Test func `what others put into the table is read when somebody says so`() async throws {
        try await Self.run { database in
            let topic = try await Self.started(database)
            try await topic.publish("one")
            let (subscription, last) = (topic.events.subscribe(), topic.events.lastID)
            try await database.batch([
                "UPDATE topics SET last_id = last_id + 1",
                "INSERT INTO topic_events VALUES ('news', \(last + 1), '\"two\"')",
            ])
            topic.tableHasChanged()
            #expect(try await Self.next(1, subscription) == ["two"])
            try await database.batch([
                "UPDATE topics SET last_id = last_id + 1",
                "INSERT INTO topic_events VALUES ('news', \(last + 2), 'not JSON')",
            ])
            topic.tableHasChanged()
            while topic.events.lastID < last + 2 { await Task.yield() }
            // What cannot be read is missed by all, who are told so.
            #expect(topic.events.subscribe(after: "\(last + 1)").hasMissedEvents)
            try await topic.publish("four")
            #expect(try await Self.next(1, topic.events.subscribe(after: "\(last + 2)")) == ["four"])
            await topic.stop()
        }
    }

    /// An event that counts how many of it have been decoded.
    private struct Counted: Codable, Sendable {
        static let decoded = Atomic(0)
        let number: Int

        init(_ number: Int) { self.number = number }

        init(from decoder: any Decoder) throws {
            Self.decoded.add(1, ordering: .relaxed)
            number = try decoder.singleValueContainer().decode(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    @Test func `an event is decoded when somebody reads it, and once`() async throws {
        try await Self.run { database in
            let topic = SQLTopic<Counted>("counts", in: database)
            try await topic.start()
            let first = try await topic.publish(Counted(1))
            for number in 2...5 { try await topic.publish(Counted(number)) }
            #expect(topic.events.lastID == first + 4)
            #expect(Counted.decoded.load(ordering: .relaxed) == 0)
            for _ in 1...2 {
                let messages = topic.events.subscribe(after: "\(first + 2)").makeAsyncIterator()
                #expect(try await messages.next()?.event.number == 4)
                #expect(try await messages.next()?.event.number == 5)
            }
            #expect(topic.events.subscribe(last: 1).lastID == first + 3)
            #expect(Counted.decoded.load(ordering: .relaxed) == 2)
            await topic.stop()
        }
    }

    @Test func `one who begins with the last events begins after one that cannot be read`() async throws {
        try await Self.run { database in
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

    @Test func `a database that takes another's place is not taken for it`() async throws {
        try await Self.run { database in
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
