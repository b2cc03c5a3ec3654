import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostSQL

@Suite("The place of a topic in its table", .timeLimit(.minutes(5)))
struct TopicPlaceTests {
    @Test func `an event that comes while the last id is read does not begin the topic anew`() async throws {
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 1, queue: 1))
        defer { loops.stop() }
        try await Task(executorPreference: loops.loops[0]) {
            let driver = OvertakenDriver()
            let topic = SQLTopic<String>("news", in: Database(driver))
            try await topic.start()
            #expect(topic.events.lastID == 5)
            driver.meanwhile("SELECT last_id") { _ = topic.events.publish(Self.event(6)) }
            driver.connected.open()
            await driver.isRead.wait()
            #expect(topic.events.lastID == 6)
            await topic.stop()
        }.value
    }

    @Test func `a start that is overtaken by another reading does not take its events back`() async throws {
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 1, queue: 1))
        defer { loops.stop() }
        try await Task(executorPreference: loops.loops[0]) {
            let driver = OvertakenDriver()
            let topic = SQLTopic<String>("news", in: Database(driver))
            driver.meanwhile("SELECT min") {
                topic.events.restart(after: 0)
                topic.events.publish((1...6).map(Self.event))
            }
            try await topic.start()
            #expect(topic.events.lastID == 6)
            await topic.stop()
        }.value
    }

    @Test func `a table that cannot be read is tried again every 10 s at least`() {
        var pauses = [1]
        while pauses.count < 6 { pauses.append(SQLTopic<String>.pause(after: pauses[pauses.count - 1])) }
        #expect(pauses == [1, 2, 4, 8, 10, 10])
    }

    @Test(arguments: ["", String(repeating: "a", count: 64), String(repeating: "ä", count: 32)])
    func `a name that PostgreSQL cannot listen to is refused at the start`(name: String) async throws {
        let topic = SQLTopic<String>(name, in: Database(OvertakenDriver()))
        let error = await #expect(throws: StartError.self) { try await topic.start() }
        let text = "The name of the topic \"\(name)\" must have 1 to 63 bytes: choose another."
        #expect(error == .configuration(text))
        #expect(throws: StartError.self) { try topic.checkStart() }
        let longest = SQLTopic<String>(String(repeating: "a", count: 63), in: Database(OvertakenDriver()))
        #expect(throws: Never.self) { try longest.checkStart() }
    }

    private static func event(_ id: Int) -> EncodedEvent<String> {
        EncodedEvent(id: id, text: "\"\(id)\"") { id, _ in "\(id)" }
    }
}

/// A driver with a topic of five events, in which something happens while a statement is run.
private final class OvertakenDriver: NotifyingDriver {
    /// Opened by the test: the connection that listens is there, and may have missed something.
    let connected = Latch()
    /// Opened when the events after the known ones are read for the second time.
    let isRead = Latch()
    private let state = Mutex((reads: 0, meanwhile: (text: "", body: nil as (@Sendable () -> Void)?)))

    let dialect = SQLDialect.postgresql
    var use: SQLUse? { nil }

    /// Lets something happen while a statement is run that begins with a text.
    func meanwhile(_ text: String, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.meanwhile = (text, body) }
    }

    func start() async throws {}
    func stop() async {}

    func listen(to channel: String, _ body: @Sendable (String?) -> Void) async throws {
        await connected.wait()
        body(nil)
    }

    func run<State: Sendable>(
        _ statement: SQLStatement, into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        let text = statement.sql.text
        if text.hasPrefix("SELECT last_id") {
            _ = try each(&state, CannedRow(["last_id"], [.integer(5)]))
        } else if text.hasPrefix("SELECT min") {
            _ = try each(&state, CannedRow(["min"], [.integer(1)]))
        } else if text.hasPrefix("SELECT id, payload"), case .integer(let known) = statement.sql.bindings[1] {
            let reads = self.state.withLock { state in
                state.reads += 1
                return state.reads
            }
            if reads == 2 { isRead.open() }
            for id in 1...5 where id > known {
                _ = try each(&state, CannedRow(["id", "payload"], [.integer(Int64(id)), .text("\"\(id)\"")]))
            }
        }
        let meanwhile = self.state.withLock { $0.meanwhile }
        if text.hasPrefix(meanwhile.text) { meanwhile.body?() }
        return SQLOutcome(changes: 0)
    }

    func begin(_ isolation: SQLIsolation, deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction {
        throw DatabaseError.unavailable("It begins nothing.")
    }

    func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws {}

    func open(_ statement: SQLStatement) async throws -> any SQLCursor {
        throw DatabaseError.unavailable("It opens nothing.")
    }
}
