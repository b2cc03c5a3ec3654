internal import CPostgres
import Glibc
import Roost
import RoostSQL

// Reads that follow one another over a connection, in libpq's pipeline mode (PostgreSQL, 34.5), with a sync after each:
// so each has a transaction and an error of its own. Whoever reads waits until those before it have read their replies,
// and then reads its own, as it would alone. A reply that has come by then costs no wait for the socket.

/// The tasks that read from a connection, one after the other; used on their loop's thread only.
struct ReadQueue {
    /// A task that has sent its statement, and waits for its turn.
    ///
    /// `@unchecked Sendable`: like its queue.
    fileprivate final class Reader: @unchecked Sendable {
        /// Nil when it has its turn, or has left. Then its reply still comes.
        private var continuation: UnsafeContinuation<Void, any Error>?

        var isWaiting: Bool { continuation != nil }

        func wait(on loop: EventLoop) async throws {
            try await withTaskCancellationHandler {
                try await withUnsafeThrowingContinuation { continuation = $0 }
            } onCancel: {
                loop.execute { self.resume(.failure(CancellationError())) }
            }
        }

        func resume(_ result: Result<Void, any Error>) {
            continuation?.resume(with: result)
            continuation = nil
        }
    }

    fileprivate var waiting: [Reader] = []
    /// Whether somebody has the turn.
    fileprivate var isReading = false
    /// The number of replies that come before those of the tasks that wait: that of the task whose turn it is, and
    /// those that nobody wants.
    var unread = 0
    /// The latest deadline of a statement that has been sent.
    fileprivate var deadline = ContinuousClock.now
    /// The time at which somebody began to wait for the reply that comes next.
    fileprivate var since = ContinuousClock.now
    /// Whether the socket keeps what is sent until the end of the loop's turn.
    fileprivate var isCorked = false
}

extension PostgresConnection {
    /// Whether a statement is prepared, and was quick the last time: then others may be sent behind it.
    func isQuick(_ text: String) -> Bool { statements.find(text)?.isQuick ?? false }

    /// Whether a statement may be sent behind those that are under way, none of which takes long.
    func mayFollow(_ statement: SQLStatement) -> Bool {
        // The task whose turn it is has the earliest deadline, so the others need no timer.
        guard !isBroken, !isSpent, !isCacheInDoubt, PQstatus(handle) == CONNECTION_OK,
            reads.deadline <= statement.deadline
        else { return false }
        return isQuick(statement.sql.text) && reads.since.duration(to: .now) < configuration.quick
    }

    /// Runs a prepared statement behind those that are under way.
    /// - Returns: Nil if it has not been sent: the connection has broken or forgotten it meanwhile, the one whose turn
    ///   it is may wait longer, or the values are large. Nobody sends the rest of what the socket does not take while
    ///   the one whose turn it is waits for a reply.
    func read<State: Sendable>(
        _ statement: SQLStatement,
        on loop: EventLoop,
        into state: inout State,
        _ each: (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome? {
        guard !isBroken, PQstatus(handle) == CONNECTION_OK, let entry = statements.find(statement.sql.text) else {
            return nil
        }
        let deadline = statement.deadline
        if reads.isReading, reads.deadline > deadline { return nil }
        let parameters = try StatementParameters(statement.sql.bindings)
        // They must fit into the room that each socket has for sending, with six bytes of the protocol for each.
        if reads.isReading, parameters.size + 6 * statement.sql.bindings.count > 4096 { return nil }
        if !reads.isCorked { cork(until: loop) }
        guard PQpipelineStatus(handle) != PQ_PIPELINE_OFF || PQenterPipelineMode(handle) == 1,
            send(entry, parameters), PQpipelineSync(handle) == 1
        else {
            isBroken = true
            throw lost
        }
        reads.deadline = deadline
        if reads.isReading {
            let reader = ReadQueue.Reader()
            reads.waiting.append(reader)
            try await reader.wait(on: loop)
        }
        reads.isReading = true
        reads.unread += 1
        defer { passTurnOn() }
        try await skipOthers(until: deadline)
        reads.since = .now
        let result = try await timed(entry) { try await lastResult(until: deadline) }
        try Self.reduce(result, columns(of: result, entry), into: &state, each)
        return SQLOutcome(changes: result.changes)
    }

    /// Reads the replies of those who have left before this one, and drops them. One that is too large costs the
    /// connection: nothing else ends it while others wait behind it.
    private func skipOthers(until deadline: ContinuousClock.Instant) async throws {
        var budget = configuration.maximumResultSize
        while reads.unread > 1 {
            let result: PostgresResult?
            do {
                result = try await nextResult(until: deadline, &budget)
            } catch {
                guard budget < 0 else { throw error }
                isBroken = true
                shutdown(socket, Int32(SHUT_RDWR))
                throw lost
            }
            if result?.status == PGRES_PIPELINE_SYNC {
                reads.unread -= 1
                budget = configuration.maximumResultSize
            }
            guard PQstatus(handle) == CONNECTION_OK else { throw lost }
        }
    }

    private func passTurnOn() {
        while !reads.waiting.isEmpty {
            let next = reads.waiting.removeFirst()
            if next.isWaiting { return next.resume(.success(())) }
            reads.unread += 1
        }
        reads.isReading = false
        // Otherwise the pool makes the connection idle.
        if reads.unread == 0 { PQexitPipelineMode(handle) }
    }
}

// libpq sends with each sync. What is sent to a server in one turn of a loop leaves as one segment: the server wakes
// once for all of it.
extension PostgresConnection: TurnObserver {
    private func cork(until loop: EventLoop) {
        reads.isCorked = true
        setCork(1)
        loop.afterTurn(self)
    }

    func turnEnded() {
        reads.isCorked = false
        setCork(0)
    }

    /// A socket that is not of TCP refuses, and sends at once.
    private func setCork(_ value: Int32) {
        var value = value
        setsockopt(PQsocket(handle), Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

extension EventLoop {
    /// The loop on which the current task runs, and goes on after each wait; nil if there is none.
    static var ofTask: EventLoop? {
        guard let loop = current else { return nil }
        return withUnsafeCurrentTask { $0?.unownedTaskExecutor == loop.asUnownedTaskExecutor() } ? loop : nil
    }
}
