internal import CPostgres
import Roost
import RoostSQL

// libpq's pipeline mode (PostgreSQL, 34.5). Reads that go out together end with one sync, so they share an implicit
// transaction and the server sends their results in one piece. An error skips the reads between it and the sync: they
// have not been run, and are sent again. Those before it have been, and since the transaction can only read, it makes
// no difference that it is undone. Tasks go on when their transaction has ended: a commit can fail as well.

/// A connection of the pool while reads share it; used on its loop's thread only. Each access to what every read needs
/// is over before anything else is called, so it is not checked (`@exclusivity`).
final class PipelineLane {
    private let entry: PoolEntry<PostgresConnection>
    unowned let pipeline: ReadPipeline
    private var watch: DescriptorWatch?
    private var writeWatch: DescriptorWatch?
    @exclusivity(unchecked) private var steps = PipelineSteps()
    @exclusivity(unchecked) private var needsSync = false
    /// Whether no more reads are added.
    var isClosing = false
    private var isOver = false
    /// The reason why a statement could not be prepared: the error of the step after it.
    var preparation: DatabaseError?
    /// The time at which something was sent while nothing was under way; nil once the reply has come.
    @exclusivity(unchecked) private var sentAt: ContinuousClock.Instant?
    /// The number of results that had arrived by the last look at the lane, and of looks in a row that found no more.
    private var lastLook = (taken: -1, count: 0)
    /// The number of bytes of an unfinished result that have arrived; nil while none is awaited.
    private var unfinished: Int?
    private var isCancelling = false
    private(set) var wasCancelled = false

    var connection: PostgresConnection { entry.connection }
    private var handle: OpaquePointer { entry.connection.handle }

    /// Takes over a connection; nil if it cannot be used.
    init?(_ entry: PoolEntry<PostgresConnection>, _ pipeline: ReadPipeline) {
        self.entry = entry
        self.pipeline = pipeline
        entry.connection.forgetLimitOfTransaction()
        guard PQenterPipelineMode(entry.connection.handle) == 1 else { return nil }
        do {
            watch = try DescriptorWatch(pipeline.loop, PQsocket(entry.connection.handle), .readable) {
                [unowned self] in receive()
            }
        } catch { return nil }
    }

    // MARK: Sending

    var hasRoom: Bool { !isClosing && steps.readCount < ReadPipeline.width }

    /// Adds a read to those that ``flush()`` sends.
    /// - Parameter isLast: Whether it is the last one before that.
    func send(_ read: PipelinedRead, isLast: Bool, _ now: ContinuousClock.Instant) {
        guard !read.isSettled else { return }
        if steps.isEmpty { sentAt = now }
        if let limit = connection.missingLimit(until: read.deadline, now: now), !set(limit) { return fail(read) }
        if !needsSync, !isLast, !protect() { return fail(read) }
        guard let prepared = connection.statements.find(read.text) ?? prepare(read.text),
            connection.send(prepared, read.parameters)
        else { return fail(read) }
        steps.append(.read(read, prepared))
        needsSync = true
    }

    /// Sets the server's own limit between two transactions.
    private func set(_ limit: Int) -> Bool {
        guard sync(), PQsendQueryParams(handle, "SET statement_timeout = \(limit)", 0, nil, nil, nil, nil, 0) == 1
        else { return false }
        steps.append(.limit)
        needsSync = true
        connection.statementTimeout = limit
        return sync()
    }

    /// Lets the transaction that begins here only read. A function that writes, behind a view for instance, must not be
    /// undone by another's error. A read that has a transaction to itself may write.
    private func protect() -> Bool {
        guard let entry = connection.statements.find(Self.protection) ?? prepare(Self.protection),
            connection.send(entry, .none)
        else { return false }
        steps.append(.protection)
        needsSync = true
        return true
    }

    /// It holds for the current transaction only, and says nothing where there is no `BEGIN`, as `SET LOCAL` would.
    private static let protection = "SET transaction_read_only = on"

    private func prepare(_ text: String) -> StatementCache.Entry? {
        if let oldest = connection.statements.evict() {
            guard PQsendQueryParams(handle, "DEALLOCATE \(oldest.name)", 0, nil, nil, nil, nil, 0) == 1 else {
                return nil
            }
            steps.append(.deallocate)
        }
        let entry = StatementCache.Entry(name: connection.statements.newName(), text: text)
        guard PQsendPrepare(handle, entry.name, text, 0, nil) == 1 else { return nil }
        connection.statements.insert(entry)
        steps.append(.prepare(entry))
        return entry
    }

    /// Ends the transaction of the statements since the last sync, and sends them.
    private func sync() -> Bool {
        guard needsSync else { return true }
        needsSync = false
        steps.append(.sync)
        return PQpipelineSync(handle) == 1
    }

    /// Sends what has been added.
    func flush() {
        guard !isOver, needsSync else { return }
        guard sync() else { return fail() }
        flushRest()
    }

    /// Sends what the socket has not taken yet.
    private func flushRest() {
        switch PQflush(handle) {
        case 0: writeWatch = nil
        case 1 where writeWatch == nil:
            do {
                writeWatch = try DescriptorWatch(pipeline.loop, PQsocket(handle), .writable) { [unowned self] in
                    flushRest()
                }
            } catch { fail() }
        case 1: break
        default: fail()
        }
    }

    // MARK: Receiving

    /// Takes what has arrived.
    private func receive() {
        guard !isOver else { return }
        if let unfinished { self.unfinished = unfinished + connection.pendingBytes }
        let isOpen = (try? connection.takeInput()) != nil
        var aborted: [PipelinedRead] = []
        var isInStep = true
        // A nil stands between the results of two statements; two in a row are the end of a broken connection.
        var isBetween = false
        while !steps.isEmpty, PQisBusy(handle) == 0 {
            guard let result = PQgetResult(handle).map({ PostgresResult($0) }) else {
                if isBetween { break }
                isBetween = true
                continue
            }
            isBetween = false
            unfinished = nil
            noteReply()
            switch (result.status == PGRES_PIPELINE_SYNC, steps.isSyncNext) {
            case (false, false): finish(steps.takeFirst(), result, &aborted)
            case (true, true):
                while let read = steps.takeFinished() { read.succeed() }
                steps.endTransaction()
            case (true, false): isInStep = false
            case (false, true):
                // The transaction could not be committed; the sync's own result follows this error.
                isClosing = true
                while let read = steps.takeFinished() { read.fail(DatabaseError(result)) }
            }
            if !isInStep { break }
        }
        if !aborted.isEmpty { pipeline.putBack(aborted) }
        guard isOpen, isInStep, PQstatus(handle) == CONNECTION_OK else { return fail() }
        if steps.isEmpty { return pipeline.loop.afterTurn(pipeline) }
        unfinished = unfinished ?? 0
        if let unfinished, unfinished > ReadPipeline.largeResult * 16 {
            watch?.pause()
            cancel()
        }
    }

    private func noteReply() {
        guard let sentAt else { return }
        self.sentAt = nil
        connection.roundTrip.note(pipeline.pool.timing.now() - sentAt)
    }

    // MARK: Time

    /// Ends the waits that have lasted too long, and does something about a read that holds up others.
    func look(_ now: ContinuousClock.Instant) {
        // The loop may have been too busy to see what has arrived.
        if !isCancelling { receive() }
        guard !isOver else { return }
        let steps = steps
        let reads = steps.reads
        for read in reads where read.deadline <= now {
            read.fail(DatabaseError.timeout("PostgreSQL did not respond before the statement's deadline."))
        }
        guard !reads.isEmpty else { return }
        lastLook = (steps.taken, steps.taken == lastLook.taken ? lastLook.count + 1 : 0)
        guard lastLook.count >= ReadPipeline.looks(connection.roundTrip) else { return }
        isClosing = true
        if reads.allSatisfy(\.isSettled) {
            if !isCancelling { end() }
        } else {
            if let first = steps.firstRead { pipeline.setApart(first.text, for: ReadPipeline.slowPause) }
            if reads.count > 1 { cancel() }
        }
    }

    /// Asks the server to end the statement that is running, whichever it is.
    private func cancel() {
        guard !isCancelling else { return }
        isClosing = true
        isCancelling = true
        wasCancelled = true
        pipeline.cancel(connection)
    }

    /// The server has been asked to end a statement on a connection, or cannot be.
    func hasCancelled(_ connection: PostgresConnection, _ outcome: Canceller.Outcome) {
        guard connection === self.connection else { return }
        isCancelling = false
        // It may still take effect at any moment, so nobody else gets the connection.
        if case .failed = outcome { connection.isBroken = true }
        try? watch?.resume()
    }

    // MARK: The end

    /// Gives the connection back if nothing is under way on it; also says whether that has happened, now or before.
    func endIfIdle() -> Bool {
        if !isOver, steps.isEmpty, !isCancelling { end() }
        return isOver
    }

    /// Gives the connection back. The pool ends what is still under way on it.
    private func end() {
        isOver = true
        isClosing = true
        watch = nil
        writeWatch = nil
        if steps.isEmpty { PQexitPipelineMode(handle) }
        // Nobody will learn whether these have been done.
        if steps.changesCache { connection.isCacheInDoubt = true }
        if steps.changesLimit { connection.statementTimeout = nil }
        steps.removeAll()
        pipeline.giveBack(entry, wasCancelled: wasCancelled)
    }

    /// Fails everything that is under way: the connection no longer works.
    private func fail() {
        guard !isOver else { return }
        let steps = steps
        let (reads, error) = (steps.reads, connection.lost)
        connection.isBroken = true
        end()
        for read in reads { read.fail(error) }
        pipeline.loop.afterTurn(pipeline)
    }

    private func fail(_ read: PipelinedRead) {
        read.fail(connection.lost)
        fail()
    }
}
