import Logging
public import Roost
import Synchronization

/// A topic whose events are kept in a table: they outlast a restart, and with PostgreSQL they reach all instances that
/// share the database.
///
///     let topic = SQLTopic<Message>("messages", in: database)
///     let app = try Application(services: [database, topic]) { routes in
///         routes.events(Path("/messages/events")) { request, events in
///             try await events.send(topic.subscribe(after: request.lastEventID))
///         }
///     }
///     try await topic.publish(message)
///
/// An event that is published in the transaction of the change that it reports exists if and only if the change does.
/// The tables are
///
///     CREATE TABLE topics (name TEXT PRIMARY KEY, last_id BIGINT NOT NULL);
///     CREATE TABLE topic_events (topic TEXT NOT NULL, id BIGINT NOT NULL, payload TEXT NOT NULL,
///         PRIMARY KEY (topic, id));
///
/// Ids have no gaps and are in the order of commits, because publishing locks the topic's row in `topics` until the
/// transaction ends. With a sequence, 7 might be committed before 6, and a subscriber waiting for events after 5 would
/// see 7 first and miss 6. So publish at the end of a transaction: until it ends, nobody else can.
///
/// With PostgreSQL, instances tell each other (`NOTIFY`), each over a connection of its own for each topic. Whatever is
/// missed while that connection is lost is read from the table. With SQLite, only one process may use the topic,
/// through one `SQLTopic`: subscribers of a second one would learn of events published through the first only when the
/// second one publishes.
public final class SQLTopic<Event: Codable & Sendable>: Service, TopicProtocol {
    /// The name in the tables, and of the channel for notifications.
    let name: String
    /// The events published by any instance, as far as this one has learnt of them; ``subscribe(after:)`` follows them.
    public let events: Topic<Event>

    let database: Database
    private let history: Int
    let logger: Logger
    /// Makes an event of its id and its payload; nil when that cannot be done.
    private let decode: @Sendable (Int, String) -> Event?
    /// Asks the task that reads to read; nil when the topic has not started, or has stopped.
    private let reading = Mutex<AsyncStream<Void>.Continuation?>(nil)
    private let listening = Mutex<Task<Void, Never>?>(nil)
    /// Whether the table is known to be the one that the last known event comes from.
    private let isPlaceCertain = Atomic(false)
    /// Whether something has been asked for that no reading has begun to read.
    private let isNeeded = Atomic(false)

    /// Creates a topic, which does nothing until it is started.
    /// - Parameters:
    ///   - name: Its name, of 1 to 63 bytes: PostgreSQL has no channel with a longer one.
    ///   - history: The number of events that are kept, in the table and in memory.
    public init(
        _ name: String, in database: Database, history: Int = 1000, logger: Logger = Logger(label: "roost.topic")
    ) {
        self.name = name
        self.database = database
        self.history = max(1, history)
        self.logger = logger
        events = Topic(history: self.history, lastID: 0)
        decode = { id, payload in
            do {
                return try JSONCoder.stored.decode(Event.self, from: Array(payload.utf8))
            } catch {
                logger.error("The event \(id) of the topic \(name) cannot be read: \(error)")
                return nil
            }
        }
    }

    deinit { reading.withLock { $0 }?.finish() }

    // MARK: Publishing

    /// Publishes an event in a transaction of its own, and returns its id.
    /// - Throws: ``DatabaseError``, an error of the event's encoding.
    @discardableResult
    public func publish(_ event: Event) async throws -> Int {
        try await database.transaction { try await publish(event, in: $0) }
    }

    /// Publishes an event if a transaction commits, and returns its id. Make this the transaction's last statement.
    /// - Throws: ``DatabaseError``, an error of the event's encoding.
    @discardableResult
    public func publish(_ event: Event, in transaction: Transaction) async throws -> Int {
        let payload = String(decoding: try JSONCoder.stored.encode(event), as: UTF8.self)
        let id = try await insert(payload, transaction)
        transaction.afterCommit { [self] in receive(id, payload) }
        return id
    }

    // MARK: Following

    /// Follows the topic: from the event after `id`, or without an id from the event after the last one that any
    /// instance has committed, even if this instance has not learnt of that yet.
    ///
    /// Continuing after `id` costs nothing while the events since then are in memory; otherwise, the last id is read
    /// from the table.
    /// - Parameter id: The id of the last event that has been seen, as a client has sent it; see
    ///   `Topic.subscribe(after:)`.
    /// - Throws: ``DatabaseError``.
    public func subscribe(after id: String? = nil) async throws -> TopicSubscription<Event> {
        if let id, events.reaches(after: id) { return events.subscribe(after: id) }
        return events.subscribe(after: id, committed: try await lastID() ?? events.lastID)
    }

    /// Tells the topic that something other than ``publish(_:in:)``, such as a trigger, has added events to its table.
    /// With PostgreSQL, such code must call `pg_notify` itself, and this does nothing.
    public func tableHasChanged() {
        if database.dialect == .sqlite { read() }
    }

    /// An event has been committed. It is published here at once if it is the next one.
    private func receive(_ id: Int, _ payload: String) {
        guard id > events.lastID else { return }
        if !events.publish(EncodedEvent(id: id, text: payload, decode: decode)) { read() }
    }

    /// Reads what is new, now or after what is being read.
    private func read() {
        isNeeded.store(true, ordering: .releasing)
        reading.withLock { $0 }?.yield()
    }

    /// The time for which changes that nobody follows are gathered, to be read together and not one by one.
    private static var gatherTime: Duration { .milliseconds(10) }
    /// The next pause between two tries, in seconds, after one of `pause`: at most as long as between two connections.
    static func pause(after pause: Int) -> Int { min(10, 2 * pause) }

    /// Reads what is new, unless the topic has stopped; if that fails, asks for it again after a pause.
    /// - Parameter delay: The pause, in seconds; the next one is returned.
    private func readAgain(on loop: EventLoop, _ delay: Int) async -> Int {
        if !events.isFollowed { try? await loop.sleep(for: Self.gatherTime) }
        guard reading.withLock({ $0 }) != nil, isNeeded.exchange(false, ordering: .acquiring) else { return delay }
        do {
            try await readNew()
            return 1
        } catch {
            if error as? DatabaseError == .unavailable(DatabaseError.notOpen) { return 1 }
            logger.warning("The topic \(name) cannot be read, and is tried again in \(delay) s: \(error)")
            try? await loop.sleep(for: .seconds(delay))
            read()
            return Self.pause(after: delay)
        }
    }

    // MARK: Service

    /// Reads the last events, and begins to listen. If the database is unavailable, that waits until it is there.
    /// - Throws: `StartError` for a name that no channel can have.
    public func start() async throws {
        try checkStart()
        guard let loop = EventLoop.current else { return }
        let (needs, asking) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        reading.withLock { exchange(&$0, with: asking) }?.finish()
        Task(executorPreference: loop) { [weak self] in
            var delay = 1
            for await _ in needs {
                guard let self else { return }
                delay = await readAgain(on: loop, delay)
            }
        }
        do {
            try await readNew()
        } catch {
            logger.warning("The topic \(name) has to wait for its table: \(error)")
            read()
        }
        guard let driver = database.driver as? any NotifyingDriver else { return }
        let task = Task(executorPreference: loop) { [self] in
            do {
                try await driver.listen(to: name) { notice in take(notice) }
            } catch is CancellationError {
            } catch {
                logger.error("The topic \(name) learns of no other instance's events: \(error)")
            }
        }
        listening.withLock { $0 = task }
    }

    /// Stops learning of further events.
    public func stop() async {
        reading.withLock { $0.take() }?.finish()
        listening.withLock { $0.take() }?.cancel()
    }

    /// A notification is an id, or an id and the event.
    private func take(_ notice: String?) {
        if notice == nil { isPlaceCertain.store(false, ordering: .relaxed) }
        let parts = (notice ?? "").utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
        guard parts.count == 2, let id = Int(parts[0]) else { return read() }
        receive(id, parts[1])
    }
}

extension SQLTopic: StartChecking {
    /// Looks at the name, for each engine alike: a program that runs with SQLite shall run with PostgreSQL, too.
    package func checkStart() throws {
        guard !(1...63).contains(name.utf8.count) else { return }
        throw StartError.configuration("The name of the topic \"\(name)\" must have 1 to 63 bytes: choose another.")
    }
}

/// A row of `topic_events`.
private struct TopicEvent: Decodable, Sendable {
    let id: Int
    let payload: String
}

// The topic's tables: `topics` has the last id of each topic, and `topic_events` the last events.
extension SQLTopic {
    /// The number of events by which the table may exceed its history: so many are deleted at a time.
    private static var slack: Int { 100 }

    /// The largest payload that goes with a notification; PostgreSQL allows 7,999 bytes, id included.
    private static var maximumNotice: Int { 7900 }

    /// Adds an event, and returns its id.
    private func insert(_ payload: String, _ transaction: Transaction) async throws -> Int {
        let id = try await number(transaction)
        try await transaction.execute(
            "INSERT INTO topic_events (topic, id, payload) VALUES (\(name), \(id), \(payload))")
        if id.isMultiple(of: Self.slack) {
            try await transaction.execute("DELETE FROM topic_events WHERE topic = \(name) AND id <= \(id - history)")
        }
        if database.dialect == .postgresql {
            let notice = payload.utf8.count > Self.maximumNotice ? "\(id)" : "\(id) \(payload)"
            try await transaction.execute("SELECT pg_notify(\(name), \(notice))")
        }
        return id
    }

    /// The next id. Until the transaction ends, nobody else gets one. The first one is taken from the clock, so that
    /// ids of a database that is gone are not taken for those of another.
    private func number(_ transaction: Transaction) async throws -> Int {
        let id = try await transaction.first(
            """
            INSERT INTO topics (name, last_id) VALUES (\(name), \(Topic<Event>.idFromClock))
            ON CONFLICT (name) DO UPDATE SET last_id = topics.last_id + 1 RETURNING last_id
            """,
            as: Int.self
        )
        guard let id, id > 0, id <= Self.greatestID else {
            throw DatabaseError.statement(code: "", message: "The topic \(name) has no next id in the table topics.")
        }
        return id
    }

    /// Reads the events that are not known here, and publishes them, a portion at a time.
    private func readNew() async throws {
        if !isPlaceCertain.load(ordering: .relaxed) { try await findPlace() }
        var portion = max(1, min(history, database.configuration.maximumRows, 500))
        while true {
            do {
                // In SQLite, a payload may be a BLOB, if another program has written it: that is read as text, too.
                let rows = try await database.query(
                    """
                    SELECT id, payload || '' AS payload FROM topic_events
                    WHERE topic = \(name) AND id > \(events.lastID) AND \(isID("id")) ORDER BY id LIMIT \(portion)
                    """,
                    as: TopicEvent.self
                )
                events.publish(rows.map { EncodedEvent(id: $0.id, text: $0.payload, decode: decode) })
                if rows.count < portion { return }
            } catch DatabaseError.statement(code: "54000", message: _) where portion > 1 {
                portion /= 2  // so many large events are more than a result of PostgreSQL may have
            }
        }
    }

    /// Begins where the table begins, if this is the start, or if the database is not the one that it was.
    private func findPlace() async throws {
        // Events may come while the table is read: only what was known before tells that it is another one.
        let known = events.lastID
        // A connection that is lost meanwhile makes it uncertain again.
        isPlaceCertain.store(true, ordering: .relaxed)
        do {
            try await repair()
            try await database.execute(
                """
                INSERT INTO topics (name, last_id) VALUES (\(name), \(Topic<Event>.idFromClock))
                ON CONFLICT DO NOTHING
                """
            )
            let last = try await lastID() ?? 0
            guard known == 0 || last < known else { return }
            let first = try await database.first(
                "SELECT min(id) FROM topic_events WHERE topic = \(name) AND \(isID("id"))", as: Int?.self)
            let place = first.flatMap { $0 }.map { $0 - 1 } ?? last
            known == 0 ? events.begin(after: place) : events.restart(after: place)
        } catch {
            isPlaceCertain.store(false, ordering: .relaxed)
            throw error
        }
    }
}
