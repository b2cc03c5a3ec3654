import Roost
import RoostCommands
import RoostSQL
import RoostSQLite

/// The program serves the application, and has commands such as `check`, `migrate` and `backup`; `--help` lists them.
@main
struct Program: DatabaseProgram {
    static func application() throws -> Application { try makeApp(database()) }

    static func database() -> Database {
        let path = ProcessEnvironment.variables["DATABASE"] ?? "NAME.sqlite"
        return Database(SQLiteDriver(SQLiteConfiguration(path: path)))
    }
}

/// Puts the application together: the same for the program and for its tests.
func makeApp(_ database: Database) throws -> Application {
    try Application(
        services: [database, Migrator(database, Program.migrations)],
        api: APIDescription(title: "NAME", version: "1")
    ) { routes in
        routes.get(Path("/")) { _ in Response.redirect(to: "/api/docs") }
        routes.group(Path("/api"), described: true) { api in
            api.add(NoteController(notes: Notes(database: database)))
        }
    }
}
