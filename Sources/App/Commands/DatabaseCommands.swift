import ArgumentParser
import Glibc
import Logging
import Roost
import RoostSQL
import RoostSQLite

/// `App migrate` and `App migrate status`.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the database to the state that this program needs.",
        discussion: "It uses DATABASE_URL. Any number of instances may run it at the same time; one does the work.",
        subcommands: [Apply.self, Status.self],
        defaultSubcommand: Apply.self
    )

    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply",
            abstract: "Apply the migrations that have not been applied yet (the default)."
        )

        func run() async throws {
            try await CommandDatabase.open(.creating) { database in
                for migration in try await Migrator(database, Migrations.all).run() {
                    print("\(migration.name): applied now")
                }
                print("The database is up to date.")
            }
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the migrations, and when they were applied.")

        @Flag(help: "Print an array of objects with name and appliedAt, which is null if it is not applied.")
        var json = false

        private struct Row: Encodable {
            let name: String
            let appliedAt: String?
        }

        func run() async throws {
            let json = json
            try await CommandDatabase.open(.reading) { database in
                let migrations = try await Migrator(database, Migrations.all).status()
                guard json else {
                    for one in migrations { print("\(one.name): \(one.appliedAt ?? "not applied")") }
                    return
                }
                let rows = migrations.map { Row(name: $0.name, appliedAt: $0.appliedAt) }
                let bytes = try JSONCoder(nils: .null, layout: .pretty).encode(rows)
                print(String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}

/// `App backup FILE`
struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the SQLite database as it is now into a new file, while the site runs.",
        discussion: """
            The file must not exist, and is whole as soon as it has its name. App restore puts it in the place of the \
            database; do not copy it there, since what a crash has left beside the database would get into it. The \
            pictures in DATA_DIR are files: copy them as well. For PostgreSQL, use pg_dump. docs/backups.md has more.
            """
    )

    @Argument(help: "The file to create.")
    var file: String

    func run() async throws {
        let file = file
        try await CommandDatabase.open(.reading) { database in
            guard let driver = database.driver as? SQLiteDriver else { throw Self.noSQLite }
            try await driver.backUp(to: file)
        }
        print("The database has been copied to \(file).")
    }

    static let noSQLite = StartError.configuration(
        "This command is for SQLite; for PostgreSQL, use pg_dump and pg_restore.")
}

/// `App restore FILE`
struct Restore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a backup in the place of the SQLite database, while the site does not run.",
        discussion: """
            It checks the backup, and copies it. The database of before gets another name beside it, which is printed. \
            It fails while a program has the database open. Restore the pictures in DATA_DIR as well, before the site \
            starts: it removes pictures that belong to nobody. docs/backups.md has more.
            """
    )

    @Argument(help: "The backup, which is left as it is.")
    var file: String

    func run() async throws {
        guard case .sqlite(let path)? = try Settings().database, path != ":memory:" else { throw Backup.noSQLite }
        let restore = SQLiteRestore(of: file, to: path)
        let old = try await offload { try restore.run() }
        print("The database has been restored from \(file).")
        if let old { print("The database of before is \(old).") }
    }
}

/// The database of a command, which is open while the command runs.
enum CommandDatabase {
    /// - Parameter use: The access to an SQLite file that the command needs.
    static func open(
        _ use: SQLiteConfiguration.Access = .writing, _ body: (Database) async throws -> Void
    ) async throws {
        guard let url = try Settings().database else {
            throw StartError.configuration("DATABASE_URL is memory:, which is not a database; set it to sqlite:FILE.")
        }
        if use != .creating, case .sqlite(let path) = url, path != ":memory:", access(path, F_OK) != 0, errno == ENOENT
        {
            throw StartError.configuration(
                "There is no database at \(path). App migrate makes it; DATABASE_URL or DATA_DIR says where it is.")
        }
        var logger = Logger(label: "app")
        logger.logLevel = .warning
        let database = try Storage.database(url, access: use, logger)
        try await database.start()
        do {
            try await body(database)
        } catch {
            await database.stop()
            throw error
        }
        await database.stop()
    }
}
