import Roost
import RoostCommands
import RoostSQL
import RoostSQLite

/// The program serves the application, and has commands such as `check`, `migrate` and `backup`; `--help` lists them.
@main
struct Program: DatabaseProgram {
    /// The file of the database.
    static let databaseFile = Setting<String>("DATABASE", default: "NAME.sqlite")
    /// The folder with `Templates/` and `public/`.
    static let root = Setting<String>("ROOT", default: ".")

    static func application() throws -> Application {
        var reader = SettingsReader()
        return try makeApp(database(), folder: reader.read(root))
    }

    static func database() throws -> Database {
        var reader = SettingsReader()
        let path = reader.read(databaseFile)
        // Otherwise all would seem to be on a server, and be in the file.
        if let url = reader.read(Setting<String?>("DATABASE_URL", isSecret: true)), url != "sqlite:\(path)" {
            throw StartError.configuration(
                "This program does not use DATABASE_URL: remove it, and let DATABASE name the database's file. Roost's "
                    + "page about SQLite and PostgreSQL (docs/databases.md) shows how to use a server.")
        }
        let driver = SQLiteDriver(SQLiteConfiguration(path: path))
        // The column `seat_count` is the property `seatCount`.
        return Database(driver, configuration: DatabaseConfiguration(columnNames: .snakeCase))
    }

    /// Reads the program's own settings, so that `check` and `config` tell of them beside the server's.
    static func readSettings(_ reader: inout SettingsReader) {
        _ = reader.read(databaseFile)
        _ = reader.read(root)
        _ = reader.read("PUBLIC_URL") { variables throws(StartError) in try PublicURL(environment: variables) }
        _ = reader.read("ALLOWED_HOSTS") { variables throws(StartError) in try AllowedHosts(environment: variables) }
    }
+LANGUAGES
+LANGUAGES    /// The texts in Swift that visitors read, for the tables in `Languages/`; those of templates are known.
+LANGUAGES    static var texts: [String] {
+LANGUAGES        let all = [
+LANGUAGES            NoteController.texts,
+LANGUAGES        ]
+LANGUAGES        return all.flatMap { $0 }
+LANGUAGES    }
}

/// Puts the application together: the same for the program and for its tests. Give a new argument a default, since the
/// tests that `scripts/generate` writes do not know it.
-LANGUAGES/// - Parameter folder: The folder with `Templates/` and `public/`.
+LANGUAGES/// - Parameter folder: The folder with `Templates/`, `Languages/` and `public/`.
func makeApp(_ database: Database, folder: String = ".") throws -> Application {
    let files = try StaticFiles(folder + "/public")
    let templates = try Templates(directory: folder + "/Templates", assets: files)
+LANGUAGES    let tables = try MessageTable.all(in: folder + "/Languages")
+LANGUAGES    let languages = Languages(tables, cookie: "language", parameter: "language")
    let hosts = try AllowedHosts(environment: ProcessEnvironment.variables)
    let errorPages = ErrorPages(.page { error, _ in .view("error", error) })
    return try Application(
        services: [database, Migrator(database, Program.migrations)],
        templates: templates,
-LANGUAGES        middleware: Application.standardMiddleware(errorPages: errorPages) + [hosts]
+LANGUAGES        pageValues: { PageValues(language: $0.messages.language, isRightToLeft: $0.messages.isRightToLeft) },
+LANGUAGES        middleware: [languages] + Application.standardMiddleware(errorPages: errorPages) + [hosts]
    ) { routes in
        routes.get(Path("/")) { _ in Response.redirect(to: NoteController.paths.all.url()) }
        routes.add(NoteController(notes: Notes(database: database)))
        routes.fallback(files)
    }
}
+LANGUAGES
+LANGUAGES/// The values that `Templates/layout.mustache` shows on every page.
+LANGUAGESstruct PageValues: Encodable {
+LANGUAGES    let language: String
+LANGUAGES    let isRightToLeft: Bool
+LANGUAGES}
