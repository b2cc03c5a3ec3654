import Logging
import Roost
import RoostSQL

/// `migrate` and `migrate status`
struct MigrateCommand<Site: DatabaseProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "migrate",
            abstract: "Bring the database to the state that this program needs.",
            discussion: "Any number of instances may run it at the same time; one does the work.",
            subcommands: [Apply.self, Status.self],
            defaultSubcommand: Apply.self
        )
    }

    struct Apply: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "apply",
                abstract: "Apply the migrations that have not been applied yet.",
                // Also what a mistyped command gets.
                usage: "\(Site.name) migrate [apply | status]"
            )
        }

        func run() async throws {
            try await Site.withDatabase(.creating) { database in
                for migration in try await Migrator(database, Site.migrations).run() {
                    print("\(migration.name): applied now")
                }
                print("The database is up to date.")
            }
        }
    }

    struct Status: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "status", abstract: "List the migrations, and when they were applied.")
        }

        @Flag(help: "Print an array of objects with name and appliedAt, which is null if it is not applied.")
        var json = false

        func run() async throws {
            let json = json
            try await Site.withDatabase(.reading) { database in
                let migrations = try await Migrator(database, Site.migrations).status {
                    Logger.current(or: "roost.sql").warning("\($0)")
                }
                guard json else {
                    for one in migrations { print("\(one.name): \(one.appliedAt ?? "not applied")") }
                    return
                }
                print(try JSONCoder.printed(migrations, nils: .null))
            }
        }
    }
}
