import Roost
import RoostCommands
import RoostSQL
import RoostSQLite

/// The program serves the application, and has commands such as `check`, `migrate` and `backup`; `--help` lists them.
@main
struct Program: DatabaseProgram {
    static func application() throws -> Application {
        try makeApp(database(), folder: ProcessEnvironment.variables["ROOT"] ?? ".")
    }

    static func database() -> Database {
        let path = ProcessEnvironment.variables["DATABASE"] ?? "NAME.sqlite"
        return Database(SQLiteDriver(SQLiteConfiguration(path: path)))
    }
}

/// Puts the application together: the same for the program and for its tests.
/// - Parameter folder: The folder with `Templates/` and `public/`.
func makeApp(_ database: Database, folder: String = ".") throws -> Application {
    let files = try StaticFiles(folder + "/public")
    let templates = try Templates(directory: folder + "/Templates", assets: files)
    return try Application(
        services: [database, Migrator(database, Program.migrations)],
        templates: templates
    ) { routes in
        routes.get(Path("/")) { _ in Response.redirect(to: NoteController.paths.all.url()) }
        routes.add(NoteController(notes: Notes(database: database)))
        routes.fallback(files)
    }
}
