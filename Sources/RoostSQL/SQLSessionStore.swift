import Logging
public import Roost

/// Keeps sessions in a table, for any number of instances that share the database.
///
/// Only the SHA-256 of a token is stored, so nobody who reads the table can take over a session. ``schema`` makes the
/// table:
///
///     Migration("sessions", sql: SQLSessionStore.schema)
///
/// A session ends when it has not been used for a while, or when it is too old. Ended sessions are deleted as new ones
/// begin.
public struct SQLSessionStore: OwnedSessionStore {
    private let database: Database
    /// The times in seconds, like those in the table.
    private let idleTimeout, lifetime: Int
    /// The most seconds by which the time of the last use may lag: to write it for every request would cost too much.
    private let precision: Int
    private let time = TimeSource.current
    /// The writes that a session can do without, so that a database that is read-only or busy signs nobody out, and
    /// nobody waits.
    package let bookkeeping: Bookkeeping

    /// The statements that make the table, the same for all engines.
    public static let schema = Array(
        """
        -- Times are in seconds since 1970.
        CREATE TABLE sessions (
            token_hash TEXT PRIMARY KEY,
            data TEXT NOT NULL,
            begun_at BIGINT NOT NULL,
            used_at BIGINT NOT NULL,
            owner TEXT
        );
        CREATE INDEX sessions_used_at ON sessions (used_at);
        CREATE INDEX sessions_owner ON sessions (owner);
        """.utf8
    )

    /// The most ended sessions that are deleted at a time.
    private static let sweep = 100

    /// Creates a store in a database.
    /// - Parameters:
    ///   - idleTimeout: The time that a session may go unused; accurate to a minute, or to half of this time if
    ///     that is less.
    ///   - lifetime: The longest that a session lasts, however much it is used.
    public init(
        _ database: Database,
        idleTimeout: Duration = .seconds(30 * 60),
        lifetime: Duration = .seconds(8 * 60 * 60)
    ) {
        self.database = database
        bookkeeping = Bookkeeping(database)
        self.idleTimeout = idleTimeout.wholeSeconds
        precision = min(60, self.idleTimeout / 2)
        self.lifetime = lifetime.wholeSeconds
    }

    private struct Row: SQLReadable {
        let data: String
        let begun, used: Int

        init(reading columns: inout SQLColumns) throws {
            data = try columns.read("data")
            begun = try columns.read("begun")
            used = try columns.read("used")
        }
    }

    private static func key(_ token: String) -> String { Session.key(ofToken: token) }

    /// Returns the values of a token; nil if it is unknown or has expired. Its use is recorded in the background, at
    /// most once a minute, or once in half the idle timeout if that is less.
    public func values(for token: String) async throws -> [String: String]? {
        let key = Self.key(token)
        guard let (row, now) = try await row(key) else { return nil }
        if row.used <= now - precision || row.used > now { noteUse(key, now) }
        return Self.values(row.data, key)
    }

    /// The row of a session that has not ended, and the time at which it had not.
    private func row(_ key: String) async throws -> (Row, now: Int)? {
        let row = try await readable(key) {
            try await database.first(
                "SELECT data, begun_at AS begun, used_at AS used FROM sessions WHERE token_hash = \(key)",
                as: Row.self)
        }
        let now = time.secondsSince1970()
        // Any number may stand there, so it is only compared.
        guard let row, row.used > now - idleTimeout, row.begun > now - lifetime else { return nil }
        return (row, now)
    }

    /// The value that is read of a session; nil for a row that this store cannot have written: it is unknown, so its
    /// owner can sign in again.
    private func readable<Value>(_ key: String, _ read: () async throws -> Value?) async throws -> Value? {
        do {
            return try await read()
        } catch DatabaseError.column(let name, let reason) {
            Self.warn(key, "column \(name): \(reason)")
            return nil
        }
    }

    private static func warn(_ key: String, _ reason: String) {
        Logger.current(or: "roost.sql").warning(
            "The session \(Session.id(ofKey: key)) cannot be read, so it counts as unknown: \(reason)")
    }

    /// Notes that a session is used now. If the clock was ahead when it began, it counts as begun now.
    private func noteUse(_ key: String, _ now: Int) {
        bookkeeping.note(
            """
            UPDATE sessions SET used_at = \(now), begun_at = CASE WHEN begun_at > \(now) THEN \(now) ELSE begun_at END
            WHERE token_hash = \(key)
            """,
            about: key)
    }

    /// Whether a token is known and has not expired.
    public func isAlive(_ token: String) async throws -> Bool {
        let key = Self.key(token)
        guard let (row, now) = try await row(key) else { return false }
        if row.used > now { noteUse(key, now) }
        return true
    }

    /// Stores the values of a new token.
    public func save(_ values: [String: String], for token: String) async throws {
        let now = time.secondsSince1970()
        let data = try Self.text(values)
        try await database.execute(
            """
            INSERT INTO sessions (token_hash, data, begun_at, used_at, owner)
            VALUES (\(Self.key(token)), \(data), \(now), \(now), \(values[Session.ownerKey]))
            """
        )
        bookkeeping.note(deletion(Self.sweep, now), about: "ended sessions")
    }

    /// The statement that deletes ended sessions. One that is past its lifetime is not used any more: at twice that
    /// age, at the latest, it has gone unused for a lifetime.
    private func deletion(_ count: Int, _ now: Int) -> SQL {
        let unused = now - min(idleTimeout, lifetime)
        return database.removal(
            of: count, from: "sessions", by: "token_hash", where: "used_at <= \(unused) ORDER BY used_at")
    }

    /// Deletes the sessions that have ended, a thousand at a time, and returns how many there were. A job can do this
    /// each night (`RoostJobs`), for a site where new sessions seldom begin.
    @discardableResult
    public func removeExpired() async throws -> Int {
        var count = 0
        while true {
            let removed = try await database.execute(deletion(1000, time.secondsSince1970()))
            count += removed
            if removed < 1000 { return count }
        }
    }

    /// Replaces the values of a token that is still known.
    public func update(_ values: [String: String], for token: String) async throws {
        try await database.execute(
            """
            UPDATE sessions SET data = \(try Self.text(values)), owner = \(values[Session.ownerKey])
            WHERE token_hash = \(Self.key(token))
            """
        )
    }

    /// Sets some values of a token that is still known.
    public func change(_ changes: [String: String?], for token: String) async throws {
        _ = try await write(changes, token, "")
    }

    /// Moves the values of a token that is still known to a new token, with some changes.
    public func replace(
        _ token: String, with newToken: String, _ changes: [String: String?]
    ) async throws -> [String: String]? {
        let now = time.secondsSince1970()
        let move: SQL = "token_hash = \(Self.key(newToken)), begun_at = \(now), used_at = \(now), "
        let values = try await write(changes, token, move)
        if values != nil { bookkeeping.note(deletion(Self.sweep, now), about: "ended sessions") }
        return values
    }

    /// Sets some values and other columns. If another request changes the values in between, it begins anew.
    private func write(_ changes: [String: String?], _ token: String, _ columns: SQL) async throws -> [String: String]?
    {
        let key = Self.key(token)
        while true {
            let stored = try await readable(key) {
                try await database.first("SELECT data FROM sessions WHERE token_hash = \(key)", as: String.self)
            }
            guard let stored, var values = Self.values(stored, key) else { return nil }
            values.merge(changes)
            let count = try await database.execute(
                """
                UPDATE sessions SET \(columns) data = \(try Self.text(values)), owner = \(values[Session.ownerKey])
                WHERE token_hash = \(key) AND data = \(stored)
                """
            )
            if count > 0 { return values }
        }
    }

    /// Deletes a token and its values.
    public func remove(_ token: String) async throws {
        try await database.execute("DELETE FROM sessions WHERE token_hash = \(Self.key(token))")
    }

    private struct OwnedRow: Decodable, Sendable {
        let key, data: String
        let begun, used: Int
    }

    /// The sessions of an owner that have not ended, the last used first, at most ``OwnedSession/maximumListed``.
    public func sessions(of owner: String) async throws -> [OwnedSession] {
        let now = time.secondsSince1970()
        let rows = try await database.queryAll(
            """
            SELECT token_hash AS key, CAST(data AS TEXT) AS data, CAST(begun_at AS BIGINT) AS begun,
                CAST(used_at AS BIGINT) AS used FROM sessions
            WHERE owner = \(owner) AND used_at > \(now - idleTimeout) AND begun_at > \(now - lifetime)
                AND token_hash IS NOT NULL
            ORDER BY used_at DESC, begun_at DESC LIMIT \(OwnedSession.maximumListed)
            """,
            as: OwnedRow.self
        )
        return rows.map { row in
            // In SQLite, a text counts as later than any number, and may be cast to the least one.
            OwnedSession(
                id: Session.id(ofKey: row.key), values: Self.values(row.data, row.key) ?? [:],
                begun: .seconds(now - max(0, row.begun)), used: .seconds(now - max(0, row.used)))
        }
    }

    /// Deletes one session of an owner.
    @discardableResult
    public func end(_ id: String, of owner: String) async throws -> Bool {
        let count = try await database.execute(
            "DELETE FROM sessions WHERE owner = \(owner) AND substr(token_hash, 1, 16) = \(id)")
        if count > 0 { LastingVisits.process.end(id) }
        return count > 0
    }

    /// Deletes the sessions of an owner, but for one.
    public func endAll(of owner: String, except id: String?) async throws {
        try await database.execute(
            "DELETE FROM sessions WHERE owner = \(owner) AND substr(token_hash, 1, 16) <> \(id ?? "")")
        LastingVisits.process.endAll(of: owner, except: id)
    }

    /// The values of a session; nil, with a warning, for a text that is not of this store.
    private static func values(_ data: String, _ key: String) -> [String: String]? {
        do {
            return try JSONCoder.stored.strings(in: data)
        } catch {
            warn(key, "column data: it is no JSON object of texts.")
            return nil
        }
    }

    private static func text(_ values: [String: String]) throws -> String {
        try JSONCoder().string(values)
    }
}
