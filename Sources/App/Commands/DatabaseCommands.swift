import ArgumentParser
import Logging
import Roost
import RoostSQL
import RoostSQLite

/// `App migrate` and `App migrate status`.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the database to the state that this program needs.",
        subcommands: [Apply.self, Status.self],
        defaultSubcommand: Apply.self
    )

    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply",
            abstract: "Apply the migrations that have not been applied yet (the default)."
        )

        func run() async throws {
            try await CommandDatabase.open(createsFile: true) { database in
                for migration in try await Migrator(database, Migrations.all).run() {
                    print("\(migration.version) \(migration.name): applied now")
                }
                print("The database is up to date.")
            }
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the migrations, and when they were applied.")

        func run() async throws {
            try await CommandDatabase.open { database in
                for migration in try await Migrator(database, Migrations.all).status() {
                    print("\(migration.version) \(migration.name): \(migration.appliedAt ?? "not applied")")
                }
            }
        }
    }
}

/// `App backup FILE`
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the SQLite database as it is now into a new file, while the site runs."
    )

    @Argument(help: "The file to create.")
    var file: String

    func run() async throws {
        let file = file
        try await CommandDatabase.openSQLite { driver in try await driver.backUp(to: file) }
        print("The database has been copied to \(file).")
    }
}

/// The database of a command, which is open while the command runs.
enum CommandDatabase {
    /// - Parameter createsFile: Whether a missing SQLite file is created; otherwise it is an error.
    static func open(createsFile: Bool = false, _ body: (Database) async throws -> Void) async throws {
        guard let url = try Settings().database else {
            throw StartError.configuration("DATABASE_URL is memory:, which is not a database; set it to sqlite:FILE.")
        }
        var logger = Logger(label: "app")
        logger.logLevel = .warning
        let database = try Storage.database(url, createsFile: createsFile, logger)
        try await database.start()
        do {
            try await body(database)
        } catch {
            await database.stop()
            throw error
        }
        await database.stop()
    }

    static func openSQLite(_ body: (SQLiteDriver) async throws -> Void) async throws {
        try await open { database in
            guard let driver = database.driver as? SQLiteDriver else {
                throw StartError.configuration("This command is for SQLite; for PostgreSQL, use pg_dump and amcheck.")
            }
            try await body(driver)
        }
    }
}
