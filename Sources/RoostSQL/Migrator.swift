import FoundationEssentials
public import Logging
public import Roost

// The table `schema_migrations` lists the migrations that have been applied, by name; `version` only counts them, and
// was a migration's own number once. Each is applied under a lock, in one transaction with its row there. So any number
// of instances can start at once: those that get the lock later find the work done. Nobody waits inside PostgreSQL for
// it, but tries again: a waiting transaction would hold up CREATE INDEX CONCURRENTLY, which waits for every older one.

/// Brings a database to the schema that the program needs.
///
///     let migrator = Migrator(database, [Migration("users", sql: PackageResources.users_sql)])
///     let app = try Application(services: [database, migrator]) { routes in … }
public struct Migrator: HealthReporting {
    private let database: Database
    private let migrations: [Migration]
    private let logger: Logger

    /// Creates a migrator for a list of migrations, in their order.
    public init(_ database: Database, _ migrations: [Migration], logger: Logger? = nil) {
        // Building an index of a large table may take long.
        self.database = database.with(timeout: .seconds(3600))
        self.migrations = migrations
        self.logger = logger ?? .current(or: "roost.sql")
    }

    /// Applies the migrations that have not been applied yet, and returns them. It waits while another program holds
    /// SQLite's lock or applies migrations.
    /// - Throws: ``MigrationError``, or ``DatabaseError``; migrations that were applied before it stay applied.
    @discardableResult
    public func run() async throws -> [Migration] {
        try check()
        var applied: [Migration] = []
        var hasWaited = false
        while true {
            switch try await applyNext() {
            case .nothing: return applied
            case .applied(let migration, let keys):
                logger.info("Migration \(migration.name) has been applied.")
                for key in keys { logger.warning("\(migration.warning(of: key))") }
                applied.append(migration)
            case .locked:
                if !hasWaited {
                    // The program's commands show no less than warnings.
                    logger.warning(
                        "Another program applies migrations or has the database's lock; this one waits for it.")
                }
                hasWaited = true
                try await EventLoop.pause(for: .milliseconds(100))
            }
        }
    }

    /// All migrations, and when they were applied. It changes nothing, and does not wait for a migration under way.
    /// - Parameter tolerate: Gets the error of a migration that the program does not know; by default, it throws it.
    /// - Throws: ``MigrationError`` when the database belongs to another program, or to a newer version of this one.
    package func status(tolerate: (MigrationError) throws -> Void = { throw $0 }) async throws -> [MigrationStatus] {
        try check()
        let rows = try await hasTable() ? allRows(database) : []
        do { try check(rows) } catch let error as MigrationError where error.isUnknown { try tolerate(error) }
        return migrations.map { migration in
            MigrationStatus(name: migration.name, appliedAt: rows.first { $0.name == migration.name }?.applied_at)
        }
    }

    // MARK: Service

    /// Whether all migrations have been applied: the check `migrations` of `/health/ready`. Migrations of a newer
    /// version of the program do not matter: until it has replaced this one, both versions serve.
    public var healthChecks: [HealthCheck] {
        [
            HealthCheck("migrations") {
                let missing = try await missing()
                guard missing.isEmpty else {
                    throw HealthFailure("The database lacks migrations: \(missing.joined(separator: ", ")).")
                }
            }
        ]
    }

    /// Applies the migrations that have not been applied yet, as ``run()`` does; if there are none, it needs no lock.
    /// If the database also has migrations of a newer version of the program, it logs a warning, and the program serves
    /// as before. If the database is unavailable, it logs that and tries again every second.
    /// - Throws: ``MigrationError``, or ``DatabaseError``.
    public func start() async throws {
        do {
            try await runIfNeeded()
        } catch let error as DatabaseError {
            let advised = MigrationError.advising(error)
            guard error.isUnavailability, !(advised is MigrationError) else { throw advised }
            logger.error("The migrations have to wait for the database: \(error)")
            guard EventLoop.current != nil else { throw error }
            Task { await retry() }
        }
    }

    /// Does nothing.
    public func stop() async {}

    private func runIfNeeded() async throws {
        try check()
        do {
            if try await missing().isEmpty { _ = try await status() } else { try await run() }
        } catch let error as MigrationError where error.isUnknown {
            guard try await missing().isEmpty else { throw error }
            logger.warning("\(error)")
        }
    }

    /// Tries again after each pause, until the migrations are applied, or waiting does not help.
    func retry(every pause: Duration = .seconds(1)) async {
        while true {
            do {
                try await EventLoop.pause(for: pause)
                try await runIfNeeded()
                return logger.info("The migrations have been applied.")
            } catch {
                let advised = (error as? DatabaseError).map(MigrationError.advising) ?? error
                guard let waiting = advised as? DatabaseError, waiting.isUnavailability else {
                    return logger.error("The migrations cannot be applied: \(advised)")
                }
                if waiting == .unavailable(DatabaseError.notOpen) { return }
            }
        }
    }

    // MARK: Steps

    private struct Row: Decodable, Sendable {
        let name: String
        let checksum: String
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let applied_at: String
    }

    private enum Step {
        case nothing
        case applied(Migration, [UnfilledKey])
        /// Another instance is about to apply one, or another program has SQLite's lock.
        case locked
    }

    private func applyNext() async throws -> Step {
        let begun: any SQLDriverTransaction
        do {
            begun = try await database.driver.beginMigration(deadline: database.statements.deadline)
        } catch DatabaseError.busy {
            // A migration may hold SQLite's lock for longer than a statement waits for it.
            return .locked
        }
        var next: Migration?
        do {
            let step = try await database.run(in: begun) { transaction -> Step in
                guard try await lock(transaction) else { return .locked }
                next = try await firstMissing(in: transaction)
                guard let next, next.isInTransaction else { return .nothing }
                let keys = try await UnfilledKey.all(in: transaction)
                try await transaction.run(script: next.text(for: database.dialect))
                try await transaction.liftLimits()
                return try await record(next, after: keys, in: transaction)
            }
            guard case .nothing = step, let next else { return step }
            return try await applyAlone(next)
        } catch let error as DatabaseError {
            guard let next else { throw MigrationError.advising(error) }
            guard !error.isUnavailability else {
                logger.warning("The migration \(next.name) could not be applied yet: \(error)")
                throw error
            }
            throw MigrationError.failed(next, error)
        }
    }

    /// Runs a migration that can be in no transaction. In PostgreSQL, a second connection holds the lock meanwhile; in
    /// SQLite nothing can, and another instance may run it, too.
    private func applyAlone(_ migration: Migration) async throws -> Step {
        guard database.dialect == .postgresql else { return try await applyUnlocked(migration) }
        guard database.driver.use?.limit != 1 else {
            throw MigrationError(
                "Migration \(migration.name) can be in no transaction and needs two connections: allow more than one.")
        }
        let begun = try await database.driver.beginMigration(deadline: database.statements.deadline)
        do {
            let holder = Transaction(begun, database.dialect, database.statements)
            let step = try await lock(holder) ? applyUnlocked(migration) : .locked
            await begun.rollBack()
            return step
        } catch {
            await begun.rollBack()
            throw error
        }
    }

    private func applyUnlocked(_ migration: Migration) async throws -> Step {
        // Another instance may have applied it before this one got the lock.
        guard try await firstMissing(in: database)?.name == migration.name else { return .locked }
        let keys = try await UnfilledKey.all(in: database)
        try await database.execute(SQL(unchecked: migration.text(for: database.dialect)))
        if let index = try await migration.invalidIndex(in: database) {
            throw MigrationError(
                "Migration \(migration.name) leaves the index \(index) invalid, as one that has failed before: run "
                    + "DROP INDEX CONCURRENTLY \(index), and then the migration again.")
        }
        return try await record(migration, after: keys, in: database)
    }

    private func record(
        _ migration: Migration, after keys: [UnfilledKey], in database: some SQLExecutor
    ) async throws -> Step {
        try await database.execute(
            """
            INSERT INTO schema_migrations (version, name, checksum, applied_at)
            SELECT (SELECT coalesce(max(version), 0) + 1 FROM schema_migrations), \(migration.name),
                \(migration.checksum(for: database.dialect)), \(Date())
            WHERE NOT EXISTS (SELECT 1 FROM schema_migrations WHERE name = \(migration.name))
            """)
        return .applied(migration, try await UnfilledKey.all(in: database).filter { !$0.isOne(of: keys) })
    }

    /// Whether any migration has ever been begun.
    private func hasTable() async throws -> Bool {
        let count: SQL =
            switch database.dialect {
            case .sqlite: "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'"
            case .postgresql: "SELECT count(*) FROM pg_class WHERE oid = to_regclass('schema_migrations')"
            }
        return try await database.first(count, as: Int.self) == 1
    }

    /// Keeps others from applying migrations until the transaction ends, and creates the table if it is missing; false
    /// when somebody else has the lock. In SQLite, the transaction itself is the lock.
    private func lock(_ transaction: Transaction) async throws -> Bool {
        if database.dialect == .postgresql {
            let attempt: SQL = "SELECT pg_try_advisory_xact_lock(\(literal: "7237429153"))"
            guard try await transaction.first(attempt, as: Bool.self) == true else { return false }
        }
        try await transaction.liftLimits()
        try await transaction.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                version BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at TEXT NOT NULL)
            """)
        return true
    }

    /// The first migration that has not been applied. Those that have been must be this program's.
    private func firstMissing(in database: some SQLExecutor) async throws -> Migration? {
        let rows = try await allRows(database)
        try check(rows)
        return migrations.first { migration in !rows.contains { $0.name == migration.name } }
    }

    /// The names of the migrations that have not been applied, whatever else the database has.
    package func missing() async throws -> [String] {
        let applied = Set(try await hasTable() ? allRows(database).map(\.name) : [])
        return migrations.map(\.name).filter { !applied.contains($0) }
    }

    private func allRows(_ database: some SQLExecutor) async throws -> [Row] {
        do {
            return try await database.queryAll(
                "SELECT name, checksum, applied_at FROM schema_migrations ORDER BY version", as: Row.self)
        } catch let error as DatabaseError {
            throw MigrationError.naming(error)
        }
    }

    private func check(_ rows: [Row]) throws {
        for row in rows {
            guard let migration = migrations.first(where: { $0.name == row.name }) else { continue }
            guard migration.hasChecksum(row.checksum, for: database.dialect) else {
                throw MigrationError(
                    "Migration \(row.name) has been changed since it was applied: restore "
                        + "its file, and make the change in a new migration.")
            }
        }
        // What may be tolerated comes last.
        for row in rows where !migrations.contains(where: { $0.name == row.name }) {
            throw MigrationError(
                "The database has the migration \(LogText.escaped(row.name)), which this program does not know: run a "
                    + "newer version of the program, use another database, or put the migration back if you have "
                    + "renamed or removed it.",
                isUnknown: true)
        }
    }

    /// Looks for the mistakes that no migration may have, whatever the database is.
    package func check() throws {
        for migration in migrations {
            guard let unknown = migration.unknownPlaceholder else { continue }
            let known = Migration.placeholders.map { "${\($0.name)}" }.joined(separator: ", ")
            throw MigrationError("The migration \(migration.name) has ${\(unknown)}, which is none of \(known).")
        }
        var names: Set<String> = []
        for name in migrations.map(\.name) where !names.insert(name).inserted {
            throw MigrationError("Two migrations have the name \(name): give the one that is newer another name.")
        }
    }
}
