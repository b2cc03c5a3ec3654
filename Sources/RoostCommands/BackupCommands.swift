import Roost
import RoostSQL

/// `backup FILE`
struct BackupCommand<Site: DatabaseProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "backup",
            abstract: "Copy the SQLite database as it is now into a new file, while the site runs.",
            discussion: """
                The file must not exist yet; once it appears, it is complete. To put it in the place of the \
                database, use the command restore, not cp: what a crash left beside the database would get into it. \
                What the site keeps in other files, such as pictures, is not in it: copy that as well. \
                For PostgreSQL, use pg_dump. docs/backups.md has more.
                """
        )
    }

    @Argument(help: "The file to create.")
    var file: String

    func run() async throws {
        let file = file
        try await Site.withDatabase(.reading) { database in
            guard let driver = database.driver as? any SQLFileDriver else { throw StartError.noFile }
            do {
                try await driver.backUp(to: file)
            } catch DatabaseError.invalidValue(let text) {
                throw StartError.configuration(text)
            }
        }
        print("The database has been copied to \(file).")
    }
}

/// `restore FILE`
struct RestoreCommand<Site: DatabaseProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "restore",
            abstract: "Replace the SQLite database with a backup, while the site is stopped.",
            discussion: """
                It checks the backup, which must be of this program, and copies it. The old database stays beside \
                it, under another name, which is printed. The command fails while a program has the database open. \
                Restore the site's other files as well, such as pictures, before the site starts: the site removes \
                pictures that belong to nobody. docs/backups.md has more.
                """
        )
    }

    @Argument(help: "The backup, which is left as it is.")
    var file: String

    func run() async throws {
        guard let driver = try Site.database().driver as? any SQLFileDriver, let path = driver.path else {
            throw StartError.noFile
        }
        let restored = try await driver.restore(from: file, for: Site.migrations.map(\.name))
        print(Self.report(on: path, from: file, old: restored.old, unknown: restored.unknown))
    }

    /// The report of a restore, with the paths of all files: whoever lacks a setting of the site has restored another
    /// one.
    static func report(on path: String, from file: String, old: String?, unknown: [String] = []) -> String {
        let names = unknown.joined(separator: ", ")
        return "The database \(path) has been restored from \(file)."
            + (old.map { "\nThe database of before is \($0)." } ?? "")
            + (unknown.isEmpty
                ? ""
                : "\nIt has migrations that this program does not know (\(names)): run a newer version of the program.")
    }
}

extension StartError {
    fileprivate static let noFile = StartError.configuration(
        "This command is for SQLite; for PostgreSQL, use pg_dump and pg_restore.")
}
