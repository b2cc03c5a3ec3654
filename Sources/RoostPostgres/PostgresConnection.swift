internal import CPostgres
import Glibc
import Logging
import Roost
import RoostSQL

/// A session with the server: libpq's connection, which never blocks.
///
/// `@unchecked Sendable`: one task has it at a time. The pool hands it out and takes it back under its lock, and a
/// transaction or a cursor has one to itself.
final class PostgresConnection: @unchecked Sendable {
    let handle: OpaquePointer
    let configuration: PostgresConfiguration
    var statements: StatementCache
    /// After what time the server ends a statement, in milliseconds; nil when that is not known.
    private var statementTimeout: Int?
    /// Whether it was told so in a transaction, whose end may have taken that back.
    private var isTimeoutOfTransaction = false
    private let notices: NoticeLog
    /// Set when the connection cannot be used any more though libpq takes it for good.
    var isBroken = false
    /// Set while it is not known which statements the server has prepared.
    var isCacheInDoubt = false

    /// Takes over a connection that libpq has begun.
    init(_ handle: OpaquePointer, _ configuration: PostgresConfiguration, _ logger: Logger) {
        self.handle = handle
        self.configuration = configuration
        statements = StatementCache(capacity: configuration.statementCacheCapacity)
        notices = NoticeLog(logger)
        notices.attach(to: handle)
    }

    deinit { PQfinish(handle) }

    // MARK: State

    /// Whether nothing is under way, and no transaction is open.
    var isIdle: Bool {
        !isBroken && !isCacheInDoubt && PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
            && PQpipelineStatus(handle) == PQ_PIPELINE_OFF
    }

    /// Whether a transaction is open, failed or not, and nothing is under way in it.
    var isInTransaction: Bool {
        guard !isBroken, PQstatus(handle) == CONNECTION_OK, PQpipelineStatus(handle) == PQ_PIPELINE_OFF else {
            return false
        }
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Whether the server's end is still there, as far as one can know without asking it: a server that has ended has
    /// closed the connection, and may have said so.
    func isAlive() -> Bool {
        guard isIdle else { return false }
        var byte: UInt8 = 0
        while true {
            let count = recv(PQsocket(handle), &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            if count < 0 { return errno == EAGAIN }
            guard count > 0, PQconsumeInput(handle) == 1, isIdle, PQisBusy(handle) == 0 else { return false }
        }
    }

    /// The error of a connection that does not work any more.
    var lost: DatabaseError { .connectionLost(DatabaseError.firstLine(PQerrorMessage(handle))) }

    // MARK: Bytes

    /// Sends what is still to be sent, and takes what has come.
    func exchange(until deadline: ContinuousClock.Instant) async throws {
        if try await isReadable(until: deadline) { try takeInput() }
    }

    /// Sends what is still to be sent, and waits until there is something to take or to do.
    private func isReadable(until deadline: ContinuousClock.Instant) async throws -> Bool {
        let unsent = PQflush(handle)
        guard unsent >= 0 else { throw lost }
        let wanted: Readiness = unsent == 0 ? [.readable] : [.readable, .writable]
        let ready = try await SocketWait.ready(wanted, of: PQsocket(handle), until: deadline)
        if ready.isEmpty { throw DatabaseError.timeout("PostgreSQL did not respond before the statement's deadline.") }
        return ready.contains(.readable)
    }

    private func takeInput() throws {
        guard PQconsumeInput(handle) == 1 else { throw lost }
        // Of a TLS record, up to 16 KiB, libpq may take the first 8 only; no socket becomes readable for the rest.
        if PQsslInUse(handle) == 1, PQconsumeInput(handle) == 0 { throw lost }
    }

    /// The next result of what was sent; nil behind the last one of a statement.
    /// - Parameter budget: How many bytes may still come.
    func nextResult(
        until deadline: ContinuousClock.Instant,
        _ budget: inout Int
    ) async throws -> PostgresResult? {
        var isFirst = true
        while PQisBusy(handle) == 1 {
            // What comes at once need not be counted.
            let unread = isFirst ? 0 : pendingBytes
            guard try await isReadable(until: deadline) else { continue }
            if !isFirst { try take(max(0, pendingBytes - unread), of: &budget) }
            isFirst = false
            try takeInput()
        }
        return PQgetResult(handle).map { PostgresResult($0) }
    }

    private func take(_ count: Int, of budget: inout Int) throws(DatabaseError) {
        budget -= count
        if budget < 0 { throw tooLarge }
    }

    /// The error of a result that has used its budget up.
    var tooLarge: DatabaseError {
        .statement(
            code: "54000",
            message: "The result is larger than \(configuration.maximumResultSize) bytes: select less, or read it with "
                + "stream(_:as:)."
        )
    }

    /// How many bytes the system has for us.
    private var pendingBytes: Int {
        var count: Int32 = 0
        return ioctl(PQsocket(handle), UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// The last result of what was sent; the first error, if there is any, when all has come.
    func lastResult(until deadline: ContinuousClock.Instant) async throws -> PostgresResult {
        var budget = configuration.maximumResultSize
        var failure: DatabaseError?
        var last: PostgresResult?
        while let result = try await nextResult(until: deadline, &budget) {
            switch result.status {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                // One row alone may be larger than what was counted before it came.
                if PQresultMemorySize(result.handle) > configuration.maximumResultSize { failure = failure ?? tooLarge }
                last = consume result
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                isBroken = true
                throw DatabaseError.copy
            default: failure = failure ?? DatabaseError(result)
            }
        }
        if let failure { throw failure }
        guard let last else { throw lost }
        return last
    }

    /// Runs statements without values, several if they are separated by semicolons.
    @discardableResult
    func run(_ text: String, until deadline: ContinuousClock.Instant) async throws -> PostgresResult {
        guard !text.utf8.contains(0) else { throw DatabaseError.zeroInText }
        guard PQsendQuery(handle, text) == 1 else { throw lost }
        return try await lastResult(until: deadline)
    }

    /// Has the server itself end statements some time after the caller's deadline: once and at most twice the grace.
    func limitStatements(until deadline: ContinuousClock.Instant) async throws {
        let isInTransaction = PQtransactionStatus(handle) != PQTRANS_IDLE
        if isTimeoutOfTransaction, !isInTransaction { statementTimeout = nil }
        let rest = ContinuousClock.now.duration(to: deadline)
        let needed = Self.milliseconds(rest + configuration.serverGrace)
        // Exactly the caller's would be a journey more for each who has waited for the connection.
        let latest = Self.milliseconds(rest + configuration.serverGrace * 2)
        if let statementTimeout, (needed...max(needed, latest)).contains(statementTimeout) { return }
        statementTimeout = nil
        try await run("SET statement_timeout = \(needed)", until: deadline)
        statementTimeout = needed
        isTimeoutOfTransaction = isInTransaction
    }

    /// In whole seconds, rounded up, as far as the server's setting goes.
    private static func milliseconds(_ duration: Duration) -> Int {
        Int(min(max(0, duration.components.seconds), Int64(Int32.max / 1000 - 1))) * 1000 + 1000
    }
}

extension DatabaseError {
    static var copy: DatabaseError { .statement(code: "0A000", message: "COPY cannot be used here.") }

    /// C's strings end there.
    static var zeroInText: DatabaseError {
        .invalidValue("The text of a statement contains a null character (U+0000).")
    }
}
