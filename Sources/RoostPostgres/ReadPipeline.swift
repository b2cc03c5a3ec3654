import Roost
import RoostSQL

/// The plain reads of one event loop, which share connections.
///
/// The reads that the tasks of one turn ask for are gathered, and go out together at the turn's end: one `send`, one
/// transaction and one reply for all (``PipelineLane``). So neither side wakes the other for each statement. A
/// connection takes up to ``width`` reads before another one is asked for; it goes back to the pool when it has none,
/// or when somebody else waits for one.
///
/// A read that takes long holds up those that share its connection. All connections are looked at every ``interval``;
/// such a read is cancelled, and begun again on a connection of its own, which a plain read allows. For a while, the
/// same text does not share a connection.
///
/// `@unchecked Sendable`: it is used on its loop's thread only.
final class ReadPipeline: @unchecked Sendable {
    let loop: EventLoop
    let pool: ConnectionPool<PostgresConnection>
    let canceller: Canceller
    let configuration: PostgresConfiguration
    @exclusivity(unchecked) private var waiting: [PipelinedRead] = []
    /// The number of waiting reads that the pool counts among all who wait.
    private var counted = 0
    private var lanes: [PipelineLane] = []
    @exclusivity(unchecked) private var texts = ReadTexts()
    /// The time until which no read shares a connection; nil at first.
    private var aloneUntil: ContinuousClock.Instant?
    /// Whether a task waits for a connection from the pool.
    private var isAsking = false
    private var isWatched = false

    /// The most reads that are under way on a connection.
    static let width = 32
    /// The time between two looks at the lanes.
    private static let interval = Duration.milliseconds(20)
    /// The time for which a text goes alone after it has taken long or brought much.
    static let slowPause = Duration.seconds(10)
    /// The time for which a text goes alone after an error.
    static let errorPause = Duration.seconds(1)
    /// The largest result that shares a connection, and the most bytes of values, each in bytes.
    static let largeResult = 64 << 10
    private static let largeParameters = 4 << 10

    init(
        _ loop: EventLoop, _ pool: ConnectionPool<PostgresConnection>, _ canceller: Canceller,
        _ configuration: PostgresConfiguration
    ) {
        self.loop = loop
        self.pool = pool
        self.canceller = canceller
        self.configuration = configuration
    }

    // MARK: For tasks

    /// A statement as a read that can share a connection; nil if it cannot.
    /// - Throws: ``DatabaseError`` for values that cannot be sent.
    func makeRead(
        _ statement: SQLStatement, _ each: @escaping @Sendable (any SQLRow) throws -> Bool
    ) throws -> PipelinedRead? {
        let now = pool.timing.now()
        guard texts.mayShare(statement.sql.text, now), mayShare(now) else { return nil }
        let parameters = try StatementParameters(statement.sql.bindings)
        guard parameters.size <= Self.largeParameters else { return nil }
        return PipelinedRead(statement, parameters, waitEnd: now + pool.limits.waitTimeout, each)
    }

    /// Adds a read to those that go out at the end of the turn.
    func add(_ read: PipelinedRead) {
        waiting.append(read)
        loop.afterTurn(self)
    }

    /// Ends the wait for a read. If it has been sent, its result is dropped when it comes.
    func cancel(_ read: PipelinedRead) {
        guard !read.isSettled else { return }
        read.fail(CancellationError())
        waiting.removeAll { $0 === read }
        loop.afterTurn(self)
    }

    // MARK: For lanes

    func setApart(_ text: String, for pause: Duration) { texts.setApart(text, until: pool.timing.now() + pause) }

    /// Returns the number of looks without a reply after which a read holds up others: 0.1 s, and the round trip.
    static func looks(_ roundTrip: RoundTrip) -> Int { 5 + Int((roundTrip.time / interval).rounded(.up)) }

    /// Has all reads go alone for a while: the server's transactions are not such that reads can share one.
    func shareNothing() {
        aloneUntil = pool.timing.now() + Self.slowPause
        for read in waiting { read.goAlone() }
        waiting = []
    }

    private func mayShare(_ now: ContinuousClock.Instant) -> Bool { aloneUntil.map { $0 <= now } ?? true }

    /// Takes back reads that have not been run, because one before them has failed.
    func putBack(_ reads: [PipelinedRead]) {
        let now = pool.timing.now()
        let left = reads.filter { read in
            guard !read.isSettled else { return false }
            let mayShare = texts.mayShare(read.text, now) && mayShare(now)
            if !mayShare { read.goAlone() }
            return mayShare
        }
        waiting.insert(contentsOf: left, at: 0)
        loop.afterTurn(self)
    }

    // MARK: Connections

    /// Sends what waits, as far as there are connections for it.
    private func fill() {
        let now = pool.timing.now()
        // Somebody who asked for a connection before these reads gets one of ours first.
        let mayStay = pool.queueLength <= (isAsking ? 1 : 0)
        var sent = 0
        while sent < waiting.count, let lane = (mayStay ? lanes.first { $0.hasRoom } : nil) ?? newLane() {
            while sent < waiting.count, lane.hasRoom {
                lane.send(waiting[sent], isLast: sent + 1 == waiting.count, now)
                sent += 1
            }
        }
        waiting.removeFirst(min(sent, waiting.count))
    }

    private func newLane() -> PipelineLane? {
        do {
            return try pool.takeIdle().flatMap(open)
        } catch {
            failWaiting(error)
            return nil
        }
    }

    private func open(_ entry: PoolEntry<PostgresConnection>) -> PipelineLane? {
        // What a transaction has read is right only if it can be committed, and each must be able to fail by itself.
        if entry.connection.isSerializable {
            shareNothing()
            pool.giveBack(entry)
            return nil
        }
        guard let lane = PipelineLane(entry, self) else {
            entry.connection.isBroken = true
            pool.giveBack(entry)
            return nil
        }
        lanes.append(lane)
        return lane
    }

    /// Gives a connection back to the pool.
    /// - Parameter wasCancelled: Whether the server was asked to end a statement on it. That may take effect late, so
    ///   it first gets something harmless to hit.
    func giveBack(_ entry: PoolEntry<PostgresConnection>, wasCancelled: Bool) {
        if wasCancelled, !entry.connection.isIdle { entry.connection.isBroken = true }
        guard wasCancelled, !entry.connection.isBroken else { return pool.giveBack(entry) }
        BackgroundTask.start { [pool, patience = configuration.abandonment.patience] in
            _ = try? await entry.connection.run(";", until: .now + patience)
            pool.giveBack(entry)
        }
    }

    /// Asks the server to end the statement that is running on a lane's connection.
    func cancel(_ connection: PostgresConnection) {
        BackgroundTask.start { [self] in
            let outcome = await canceller.cancel(connection, within: configuration.abandonment.patience)
            for lane in lanes { lane.hasCancelled(connection, outcome) }
            loop.afterTurn(self)
        }
    }

    private func failWaiting(_ error: any Error) {
        for read in waiting { read.fail(error) }
        waiting = []
        count()
    }

    /// Counts the reads that have found no place among all who wait, and refuses those that are too many.
    private func count() {
        guard waiting.count != counted else { return }
        counted = pool.countReads(waiting.count, before: counted)
        for read in waiting[counted...] { read.fail(pool.limits.tooMany) }
        waiting.removeSubrange(counted...)
    }

    /// Waits for a connection among those who wait for one.
    private func ask() {
        guard !isAsking else { return }
        isAsking = true
        BackgroundTask.start { [self] in
            do {
                // How long each read may wait is its own matter.
                let entry = try await pool.wait(until: pool.timing.now() + .seconds(3_600), isForReads: true)
                isAsking = false
                if waiting.isEmpty { pool.giveBack(entry) } else { _ = open(entry) }
                loop.afterTurn(self)
            } catch {
                isAsking = false
                failWaiting(error)
            }
        }
    }

    // MARK: Time

    private func watch() {
        guard !isWatched else { return }
        isWatched = true
        BackgroundTask.start { [self] in
            repeat { try? await pool.timing.sleep(Self.interval) } while look()
            isWatched = false
        }
    }

    /// Looks after the reads; false when there are none.
    private func look() -> Bool {
        let now = pool.timing.now()
        for read in waiting where read.waitEnd <= now { read.fail(pool.late) }
        waiting.removeAll { $0.isSettled }
        for lane in lanes { lane.look(now) }
        loop.afterTurn(self)
        return !waiting.isEmpty || !lanes.isEmpty
    }
}

extension ReadPipeline: TurnObserver {
    func turnEnded() {
        fill()
        for lane in lanes { lane.flush() }
        lanes.removeAll { $0.endIfIdle() }
        count()
        if !waiting.isEmpty { ask() }
        if !waiting.isEmpty || !lanes.isEmpty { watch() }
    }
}
