public import Roost
public import RoostSQL

/// A program with a database. It also has the commands `migrate`, `backup` and `restore`, and its `check` looks at the
/// database.
///
///     @main
///     struct Program: DatabaseProgram {
///         static let migrations = [Migration("notes", sql: PackageResources.notes_sql)]
///
///         static func database() -> Database {
///             Database(SQLiteDriver(SQLiteConfiguration(path: "notes.sqlite")))
///         }
///
///         static func application() throws -> Application { try makeApp(database()) }
///     }
public protocol DatabaseProgram: SiteProgram {
    /// The migrations that bring the database to the schema that the program needs, in their order.
    static var migrations: [Migration] { get }

    /// Whether a start applies them; by default, it does.
    /// - Throws: `StartError` for a setting that cannot be used.
    static func migratesAtStart() throws -> Bool

    /// Returns the database as the application uses it, before it is opened.
    /// - Throws: `StartError` for a setting that cannot be used.
    static func database() throws -> Database
}

extension DatabaseProgram {
    /// Returns true.
    public static func migratesAtStart() -> Bool { true }

    /// Opens the database for one of the program's own commands, and closes it afterwards.
    ///
    ///     try await Program.withDatabase { database in
    ///         try await database.execute("DELETE FROM notes")
    ///     }
    /// - Parameter access: The access to a database that is a file. Without `creating`, a missing file is an error.
    /// - Throws: `StartError` for a database that is missing, or that is in memory, where a command would find nothing;
    ///   any error of `body`.
    public static func withDatabase(
        _ access: SQLFileAccess = .writing, _ body: (Database) async throws -> Void
    ) async throws {
        var database = try database()
        if let file = database.driver as? any SQLFileDriver {
            guard let path = file.path else {
                throw StartError.configuration("The database is in memory; commands need one in a file or on a server.")
            }
            guard access == .creating || !file.isMissing else {
                throw StartError.configuration("There is no database at \(path). \(name) migrate makes it.")
            }
            database = Database(
                file.opening(for: access), name: database.name, configuration: database.configuration)
        }
        try await database.start()
        do {
            try await body(database)
        } catch {
            let error = await advising(error, database)
            await database.stop()
            throw error
        }
        await database.stop()
    }

    /// The error of a command, with what to do if a statement was refused while the database lacks migrations, or the
    /// program's role a right.
    private static func advising(_ error: any Error, _ database: Database) async -> any Error {
        guard let refusal = error as? DatabaseError, case .statement = refusal else { return error }
        guard let missing = try? await Migrator(database, migrations).missing(), !missing.isEmpty else {
            return MigrationError.advising(refusal)
        }
        let names = missing.joined(separator: ", ")
        let text = "\(error)"
        return StartError.configuration(
            "\(text)\(text.hasSuffix(".") ? "" : ".") The database lacks migrations (\(names)): run \(name) migrate.")
    }
}

/// A service that logs which migrations the database lacks, for a program that does not apply them when it starts.
public struct MigrationReminder: HealthReporting {
    private let migrator: Migrator
    private let logger: Logger

    /// Creates a reminder of the migrations that a migrator would apply.
    public init(_ migrator: Migrator, logger: Logger) {
        self.migrator = migrator
        self.logger = logger
    }

    /// The check that all migrations have been applied.
    public var healthChecks: [HealthCheck] { migrator.healthChecks }

    /// Looks for migrations that have not been applied. If the database is unavailable, or has migrations of a newer
    /// version of the program, it only logs that.
    public func start() async throws {
        do {
            let missing = try await migrator.missing().joined(separator: ", ")
            var advice = ": run \(ProgramName.current) migrate"
            do {
                _ = try await migrator.status()
            } catch let error as MigrationError where error.isUnknown {
                logger.warning("\(error)")
                // The command would refuse this database.
                advice = ""
            }
            if !missing.isEmpty { logger.error("The database lacks migrations (\(missing))\(advice).") }
        } catch let error as DatabaseError {
            logger.warning("Cannot tell whether the database has all migrations: \(MigrationError.advising(error))")
        }
    }

    /// Does nothing.
    public func stop() async {}
}
