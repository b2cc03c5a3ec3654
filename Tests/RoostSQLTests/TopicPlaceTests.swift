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
            driver.whileLastIDIsRead {
                _ = topic.events.publish(EncodedEvent(id: 6, text: "\"six\"") { _, _ in "six" })
            }
            driver.connected.open()
            await driver.isRead.wait()
            #expect(topic.events.lastID == 6)
            await topic.stop()
        }.value
    }
}

/// A driver with a topic of five events, of which something else happens while it reads the last id once more.
private final class OvertakenDriver: NotifyingDriver {
    /// Opened by the test: the connection that listens is there, and may have missed something.
    let connected = Latch()
    /// Opened when the events after the known ones are read for the second time.
    let isRead = Latch()
    private let state = Mutex((reads: 0, meanwhile: nil as (@Sendable () -> Void)?))

    let dialect = SQLDialect.postgresql
    var use: SQLUse? { nil }

    func whileLastIDIsRead(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.meanwhile = body } }

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
            self.state.withLock { $0.meanwhile }?()
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
