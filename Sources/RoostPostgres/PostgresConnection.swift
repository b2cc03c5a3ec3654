internal import CPostgres
import Glibc
import Logging
import Roost
import RoostSQL

/// A session with the server: a libpq connection that never blocks.
///
/// `@unchecked Sendable`: the pool hands it out and takes it back under its lock. One task has it to itself, as for a
/// transaction or a cursor, or tasks of one loop read from it in turn, on that loop's thread (``ReadQueue``).
final class PostgresConnection: @unchecked Sendable {
    let handle: OpaquePointer
    let configuration: PostgresConfiguration
    @exclusivity(unchecked) var statements: StatementCache
    private let logger: Logger
    /// A descriptor of its own for the connection's socket, to wait for: libpq closes the other one when it cannot
    /// send, and whoever waits for that would never learn it.
    private(set) var socket: Int32 = -1
    /// Set when the connection can no longer be used, although libpq considers it good.
    var isBroken = false
    /// Set when the session goes on for its user, and is then closed: the server has refused a change because it can
    /// only read, which may be over (a full disk, a server that has become a copy); or a migration's script has run.
    var isSpent = false
    private let begun = ContinuousClock.now
    @exclusivity(unchecked) var reads = ReadQueue()
    /// Set while it is unknown which statements the server has prepared.
    var isCacheInDoubt = false
    /// Asks the server to end a change that is late; without it, the outcome of one is unknown.
    var canceller: Canceller?
    /// Set while a request to end a statement may still take effect.
    var mayBeEnded = false

    /// Takes over a connection that libpq has started to open.
    init(_ handle: OpaquePointer, _ configuration: PostgresConfiguration, _ logger: Logger) {
        self.handle = handle
        self.configuration = configuration
        statements = StatementCache(capacity: configuration.isPooled ? 0 : configuration.statementCacheCapacity)
        self.logger = logger
        // Writes the server's notices to the log. Without it libpq would print them.
        PQsetNoticeProcessor(
            handle,
            { me, message in
                guard let me else { return }
                let logger = Unmanaged<PostgresConnection>.fromOpaque(me).takeUnretainedValue().logger
                logger.debug("PostgreSQL says: \(DatabaseError.firstLine(message))")
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    deinit {
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        PQfinish(handle)
        if socket >= 0 { close(socket) }
    }

    // MARK: State

    /// Whether nothing is under way, no transaction is open, and the next user can have it.
    var isIdle: Bool {
        !isBroken && !isSpent && !isCacheInDoubt && !mayBeEnded && PQstatus(handle) == CONNECTION_OK
            && PQtransactionStatus(handle) == PQTRANS_IDLE && PQpipelineStatus(handle) == PQ_PIPELINE_OFF
    }

    /// Whether a transaction is open, failed or not, and nothing is under way in it.
    var isInTransaction: Bool {
        guard !isBroken, PQstatus(handle) == CONNECTION_OK, PQpipelineStatus(handle) == PQ_PIPELINE_OFF else {
            return false
        }
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Whether the other end is still there, as far as can be seen without asking it: a server that has stopped has
    /// closed the connection, and may have sent a message before.
    func isAlive() -> Bool { isOpen { isIdle } }

    /// Whether the other end is still there, in the same way, and the transaction with it.
    func isAliveInTransaction() -> Bool { isOpen { isInTransaction } }

    private func isOpen(_ isRight: () -> Bool) -> Bool {
        guard isRight() else { return false }
        var byte: UInt8 = 0
        while true {
            let count = recv(PQsocket(handle), &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            if count < 0 { return errno == EAGAIN }
            guard count > 0, PQconsumeInput(handle) == 1, isRight(), PQisBusy(handle) == 0 else { return false }
        }
    }

    /// The error of a connection that no longer works.
    var lost: DatabaseError { .connectionLost(DatabaseError.firstLine(PQerrorMessage(handle))) }

    // MARK: Bytes

    /// Begins to use the session, once libpq has opened it.
    func finishOpening() throws {
        socket = fcntl(PQsocket(handle), F_DUPFD_CLOEXEC, 0)
        guard socket >= 0, PQsetnonblocking(handle, 1) == 0 else {
            throw DatabaseError.unavailable("No descriptor is left.")
        }
    }

    /// Sends what is left to send, and reads what has arrived.
    func exchange(until deadline: ContinuousClock.Instant) async throws {
        if try await isReadable(until: deadline) { try takeInput() }
    }

    /// Sends what is left to send, and waits until there is something to read or to do.
    private func isReadable(until deadline: ContinuousClock.Instant) async throws -> Bool {
        let unsent = PQflush(handle)
        guard unsent >= 0 else { throw lost }
        let wanted: Readiness = unsent == 0 ? [.readable] : [.readable, .writable]
        let ready = try await Self.ready(wanted, of: socket, until: deadline)
        if ready.isEmpty { throw DatabaseError.timeout("PostgreSQL did not respond before the statement's deadline.") }
        return ready.contains(.readable)
    }

    /// Waits for a socket. The caller's loop watches it, so no other thread is involved; a command without a server has
    /// a loop that belongs to nobody.
    /// - Returns: The operations that the socket is ready for; empty when the deadline has passed.
    /// - Throws: `CancellationError`.
    static func ready(
        _ readiness: Readiness, of socket: Int32, until deadline: ContinuousClock.Instant
    ) async throws -> Readiness {
        let loop = try EventLoop.current ?? EventLoop.background.get()
        do {
            return try await loop.wait(for: readiness, of: socket, until: deadline)
        } catch is DeadlinePassed {
            return []
        }
    }

    /// Reads what has arrived, without waiting.
    func takeInput() throws {
        guard PQconsumeInput(handle) == 1 else { throw lost }
        // libpq may read only the first 8 KiB of a TLS record of up to 16; the socket never becomes readable for the
        // rest.
        if PQsslInUse(handle) == 1, PQconsumeInput(handle) == 0 { throw lost }
    }

    /// The next result; nil after the last one of a statement.
    /// - Parameter budget: The number of bytes that may still arrive.
    func nextResult(
        until deadline: ContinuousClock.Instant,
        _ budget: inout Int
    ) async throws -> PostgresResult? {
        var isFirst = true
        while PQisBusy(handle) == 1 {
            // libpq closes its own descriptor when it has lost its place; the other one tells nothing then.
            guard PQstatus(handle) == CONNECTION_OK else { throw lost }
            guard try await isReadable(until: deadline) else { continue }
            // A result that arrives at once need not be counted.
            let unread = isFirst ? 0 : pendingBytes
            try takeInput()
            // While libpq reads, more may arrive: it takes at least 8 KiB of what there was.
            if !isFirst { try take(max(unread - pendingBytes, min(unread, 8192)), of: &budget) }
            isFirst = false
        }
        return PQgetResult(handle).map { PostgresResult($0) }
    }

    private func take(_ count: Int, of budget: inout Int) throws(DatabaseError) {
        budget -= count
        if budget < 0 { throw tooLarge }
    }

    /// The error of a result that exceeds its budget.
    var tooLarge: DatabaseError {
        .statement(
            code: "54000",
            message: "The result is larger than \(configuration.maximumResultSize) bytes: select less, or read it with "
                + "stream(_:as:)."
        )
    }

    /// The number of bytes that the system has received for this connection and nobody has read yet.
    var pendingBytes: Int {
        var count: Int32 = 0
        return ioctl(PQsocket(handle), UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// The last result of a statement when all have arrived, in pipeline mode up to its sync; or the first error.
    func lastResult(until deadline: ContinuousClock.Instant) async throws -> PostgresResult {
        var budget = configuration.maximumResultSize
        var failure: DatabaseError?
        var last: PostgresResult?
        while true {
            guard let result = try await nextResult(until: deadline, &budget) else {
                if PQpipelineStatus(handle) == PQ_PIPELINE_OFF || PQstatus(handle) != CONNECTION_OK { break }
                continue
            }
            if result.status == PGRES_PIPELINE_SYNC {
                reads.unread -= 1
                break
            }
            try refuseCopy(result)
            switch result.status {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                // A single row may be larger than what was counted before it arrived.
                if PQresultMemorySize(result.handle) > configuration.maximumResultSize { failure = failure ?? tooLarge }
                last = consume result
            default: failure = failure ?? error(of: result)
            }
        }
        if let failure { throw failure }
        guard let last else { throw lost }
        return last
    }

    /// The error that a result is.
    func error(of result: borrowing PostgresResult) -> DatabaseError {
        let error = DatabaseError(result)
        if case .readOnly = error, begun.duration(to: .now) >= configuration.leastAge { isSpent = true }
        return error
    }

    /// - Throws: ``DatabaseError`` for a result of `COPY`. Such results go on for as long as they are asked for, so the
    ///   connection can no longer be used.
    func refuseCopy(_ result: borrowing PostgresResult) throws(DatabaseError) {
        guard result.isCopy else { return }
        isBroken = true
        throw .statement(code: "0A000", message: "COPY cannot be used here.")
    }

    /// Runs statements without values; several are separated by semicolons.
    @discardableResult
    func run(_ text: String, until deadline: ContinuousClock.Instant) async throws -> PostgresResult {
        guard !text.utf8.contains(0) else { throw DatabaseError.zeroInText }
        guard PQsendQuery(handle, text) == 1 else { throw lost }
        return try await lastResult(until: deadline)
    }
}

extension DatabaseError {
    /// The error of a text with a NUL, at which C's strings end.
    static var zeroInText: DatabaseError {
        .invalidValue("The text of a statement contains a null character (U+0000).")
    }
}
