public import RoostSQL

/// Tables for accounts, certificates and challenges, for any number of instances that share the database.
/// ``migrations`` make them. Who may read the database may read the private keys.
public struct SQLCertificateStorage: CertificateStorage {
    private let database: Database

    /// A storage in a database.
    public init(_ database: Database) { self.database = database }

    /// The migrations that make the tables, for the program's own list.
    public static var migrations: [Migration] {
        [
            Migration(
                "certificates",
                sql: """
                    CREATE TABLE certificate_texts (name TEXT PRIMARY KEY, content TEXT NOT NULL);
                    CREATE TABLE certificate_locks (
                        name TEXT PRIMARY KEY, holder BIGINT NOT NULL, held_until BIGINT NOT NULL);
                    """)
        ]
    }

    /// Does nothing: the database may come later.
    public func open() {}

    /// Reads a row.
    public func read(_ name: String) async throws -> [UInt8]? {
        try await database.first("SELECT content FROM certificate_texts WHERE name = \(name)", as: String.self)
            .map { Array($0.utf8) }
    }

    /// Writes a row.
    public func write(_ text: [UInt8], as name: String) async throws {
        let content = String(decoding: text, as: UTF8.self)
        try await database.execute(
            """
            INSERT INTO certificate_texts (name, content) VALUES (\(name), \(content))
            ON CONFLICT (name) DO UPDATE SET content = excluded.content
            """
        )
    }

    /// Deletes a row.
    public func remove(_ name: String) async throws {
        try await database.execute("DELETE FROM certificate_texts WHERE name = \(name)")
    }

    /// Holds a row of locks meanwhile, for ten minutes if the instance ends without a word.
    public func alone<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value? {
        let holder = Int.random(in: 1...Int.max)
        let count = try await database.execute(
            """
            INSERT INTO certificate_locks (name, holder, held_until) VALUES ('order', \(holder), \(clock) + 600)
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
            WHERE certificate_locks.held_until < \(clock)
            """
        )
        guard count == 1 else { return nil }
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        // Also when this task has been cancelled: otherwise the others would wait for the ten minutes.
        let database = database
        _ = try? await Task { try await database.execute("DELETE FROM certificate_locks WHERE holder = \(holder)") }
            .value
        return try result.get()
    }

    /// The database's clock, in seconds since 1970.
    private var clock: SQL {
        database.dialect == .sqlite
            ? "CAST(strftime('%s', 'now') AS INTEGER)" : "CAST(extract(epoch FROM now()) AS BIGINT)"
    }
}
