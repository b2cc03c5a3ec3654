import Roost
import RoostCommands
import RoostSQL
import RoostSQLite

/// The program serves the application, and has commands such as `check`, `migrate` and `backup`; `--help` lists them.
@main
struct Program: DatabaseProgram {
-LANGUAGES    static func application() throws -> Application { try makeApp(database()) }
+LANGUAGES    static func application() throws -> Application {
+LANGUAGES        try makeApp(database(), folder: ProcessEnvironment.variables["ROOT"] ?? ".")
+LANGUAGES    }

    static func database() -> Database {
        let path = ProcessEnvironment.variables["DATABASE"] ?? "NAME.sqlite"
        let driver = SQLiteDriver(SQLiteConfiguration(path: path))
        // The column `seat_count` is the property `seatCount`.
        return Database(driver, configuration: DatabaseConfiguration(columnNames: .snakeCase))
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

/// Puts the application together: the same for the program and for its tests.
-LANGUAGESfunc makeApp(_ database: Database) throws -> Application {
+LANGUAGES/// - Parameter folder: The folder with `Languages/`.
+LANGUAGESfunc makeApp(_ database: Database, folder: String = ".") throws -> Application {
+LANGUAGES    let tables = try MessageTable.all(in: folder + "/Languages")
+LANGUAGES    let languages = Languages(tables, cookie: "language", parameter: "language")
    let hosts = try AllowedHosts(environment: ProcessEnvironment.variables)
    return try Application(
        services: [database, Migrator(database, Program.migrations)],
        api: APIDescription(title: "NAME", version: "1"),
-LANGUAGES        middleware: Application.standardMiddleware() + [hosts]
+LANGUAGES        middleware: [languages] + Application.standardMiddleware() + [hosts]
    ) { routes in
        routes.get(Path("/")) { _ in Response.redirect(to: "/api/docs") }
        routes.group(Path("/api"), described: true) { api in
            api.add(NoteController(notes: Notes(database: database)))
        }
    }
}
