import Logging
import Roost

/// A key as a request claims it.
struct IdempotencyClaim: Sendable {
    /// The digest of the key with its caller, method and path.
    let id: String
    /// The digest of all else that the request asks for.
    let fingerprint: String
    /// A number that no other attempt has: an attempt that was given up does not end another one.
    let attempt: Int
}

/// The table of keys: those of requests that are under way, and those of responses that are kept.
///
/// A row without a status is under way until `expires_at`; one with a status keeps its response until then. Whoever
/// inserts a row carries out its request: the database decides between two that come at the same time.
struct IdempotencyTable: Sendable {
    private let database: Database
    /// The times in seconds, like those in the table.
    private let lifetime, attemptTime: Int
    private let maximumResponseSize: Int
    private let time = TimeSource.current
    let bookkeeping: Bookkeeping
    private let logger = Logger.current(or: "roost.idempotency")

    /// The most expired keys that are deleted at a time.
    private static let sweep = 100

    static let migration = Migration(
        "idempotency_keys",
        sql: """
            -- Times are in seconds since 1970. Without a status, the request is under way.
            CREATE TABLE idempotency_keys (
                id TEXT PRIMARY KEY,
                fingerprint TEXT NOT NULL,
                attempt BIGINT NOT NULL,
                expires_at BIGINT NOT NULL,
                status INTEGER,
                response TEXT
            );
            CREATE INDEX idempotency_keys_expires_at ON idempotency_keys (expires_at);
            """)

    init(_ database: Database, lifetime: Int, attemptTime: Int, maximumResponseSize: Int) {
        self.database = database
        // Half of all numbers, so that the present time can be added.
        (self.lifetime, self.attemptTime) = (min(lifetime, .max / 2), min(attemptTime, .max / 2))
        self.maximumResponseSize = maximumResponseSize
        bookkeeping = Bookkeeping(database)
    }

    /// The present time in a statement, in seconds: PostgreSQL's own, on which all instances agree, or this machine's
    /// where the database is a file on it. A test's clock comes first.
    private var now: SQL {
        if database.dialect == .postgresql, time.clock == nil {
            return "CAST(floor(extract(epoch FROM now())) AS BIGINT)"
        }
        return "CAST(\(time.secondsSince1970()) AS BIGINT)"
    }

    private struct Row: Decodable, Sendable {
        let fingerprint: String
        let status: Int?
        let response: String?
    }

    /// A response as the table has it.
    private struct Kept: Codable, Sendable {
        /// The reason phrase; nil in a row that an older program wrote.
        var reason: String?
        var fields: [[String]]
        var body: String
    }

    // MARK: The begin

    /// Returns nil if the claim is the first one, and otherwise the response that is kept.
    /// - Throws: ``HTTPError`` with 409 or 422; ``DatabaseError``.
    func begin(_ claim: IdempotencyClaim) async throws -> Response? {
        if try await insert(claim) { return nil }
        let row: Row?
        do {
            row = try await database.first(
                "SELECT fingerprint, status, response FROM idempotency_keys WHERE id = \(claim.id)", as: Row.self)
        } catch DatabaseError.column(let name, let reason) {
            throw unreadable(claim, "column \(name): \(reason)")
        }
        // Without a row, the other request has just failed; the client will find the key free.
        guard let row else { throw Self.underWay }
        guard row.fingerprint == claim.fingerprint else { throw Self.another }
        guard let status = row.status else { throw Self.underWay }
        guard let text = row.response else { throw Self.notKept }
        guard let response = Self.response(status, text) else {
            throw unreadable(claim, "it is none that a handler can have given.")
        }
        return response
    }

    /// The error for a row that this table cannot have written, with a warning: its request counts as carried out.
    private func unreadable(_ claim: IdempotencyClaim, _ reason: String) -> HTTPError {
        logger.warning(
            "The response in idempotency_keys with the id \(claim.id) cannot be read, so it counts as lost: \(reason)")
        return Self.notKept
    }

    private func insert(_ claim: IdempotencyClaim) async throws -> Bool {
        let count: Int
        do {
            count = try await database.execute(
                """
                INSERT INTO idempotency_keys (id, fingerprint, attempt, expires_at)
                VALUES (\(claim.id), \(claim.fingerprint), \(claim.attempt), \(now) + \(attemptTime))
                ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, attempt = excluded.attempt,
                    expires_at = excluded.expires_at, status = NULL, response = NULL
                WHERE idempotency_keys.expires_at <= \(now)
                """)
        } catch let error as DatabaseError {
            guard case .outcomeUnknown(let reason) = error else { throw error }
            // Nothing of the handler has begun: the client may repeat the request, once the key is free.
            database.lateWrites.note(deletion(of: claim), after: error)
            throw DatabaseError.unavailable(reason)
        }
        guard count > 0 else { return false }
        bookkeeping.note(
            database.removal(
                of: Self.sweep, from: "idempotency_keys", by: "id", where: "expires_at <= \(now) ORDER BY expires_at"),
            about: "expired keys")
        return true
    }

    // MARK: The end

    /// Keeps a response. If the database cannot be reached, that is done later: the response is good all the same.
    func keep(_ response: Response, for claim: IdempotencyClaim) async {
        let kept = keptText(response)
        await end(
            late(
                update(claim, response.status.code, kept), short: update(claim, response.status.code, nil),
                "The response to a request with an Idempotency-Key cannot be kept"))
    }

    /// Frees a key whose request has failed; later, if the database cannot be reached.
    func release(_ claim: IdempotencyClaim) async { await end(deletion(of: claim)) }

    private func end(_ write: LateWrites.Write) async {
        do {
            try await database.execute(write.sql)
        } catch {
            database.lateWrites.note(write, after: error)
        }
    }

    private func update(_ claim: IdempotencyClaim, _ status: Int, _ text: String?) -> SQL {
        """
        UPDATE idempotency_keys SET status = \(status), response = \(text), expires_at = \(now) + \(lifetime)
        WHERE id = \(claim.id) AND attempt = \(claim.attempt)
        """
    }

    private func deletion(of claim: IdempotencyClaim) -> LateWrites.Write {
        let sql: SQL = "DELETE FROM idempotency_keys WHERE id = \(claim.id) AND attempt = \(claim.attempt)"
        return late(sql, short: sql, "An Idempotency-Key cannot be freed")
    }

    /// A write that nobody needs when another request may have the key.
    private func late(_ sql: SQL, short: SQL, _ failure: String) -> LateWrites.Write {
        LateWrites.Write(
            sql: sql, short: short, failure: failure, database: database, logger: logger, time: time,
            end: time.instant() + .seconds(attemptTime))
    }

    /// The text of a response; nil if it is too large or comes over time, and, with an error in the log, if it cannot
    /// be read.
    private func keptText(_ response: Response) -> String? {
        guard !response.body.isStream, response.body.count.map({ $0 <= maximumResponseSize }) ?? false else {
            return nil
        }
        // A cookie is for the browser that asked first; a copy of it might sign somebody in long after.
        let fields = response.headers.list.filter { $0.name != .setCookie }.map { [$0.name.rawName, $0.value] }
        do {
            let body = Base64.standard.text(try response.body.bytesInMemory)
            return try JSONCoder().string(Kept(reason: response.status.reasonPhrase, fields: fields, body: body))
        } catch {
            logger.error("Only the fact of a response to a request with an Idempotency-Key can be kept: \(error)")
            return nil
        }
    }

    /// The response of a row; nil for a text that ``keptText(_:)`` cannot have written.
    private static func response(_ status: Int, _ text: String) -> Response? {
        guard (200...599).contains(status), let kept = try? JSONCoder().decode(Kept.self, from: Array(text.utf8)),
            let body = Base64.standard.bytes(kept.body.utf8)
        else { return nil }
        var headers = Headers()
        for field in kept.fields {
            guard let name = field.first.flatMap({ HTTPField.Name($0) }), let value = field.last,
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            else { return nil }
            headers.append(name, value)
        }
        return Response(.init(code: status, reasonPhrase: kept.reason ?? ""), headers: headers, body: Body(body))
    }

    // MARK: Refusals

    private static let underWay = HTTPError(
        .conflict, "A request with this Idempotency-Key is under way. Repeat it in a while.",
        headers: [.retryAfter: "1"])

    private static let another = HTTPError(
        .unprocessableContent, "This Idempotency-Key belongs to another request. Send a new one.")

    private static let notKept = HTTPError(
        .conflict, "The request with this Idempotency-Key was carried out, but its response could not be kept.")
}
