import Roost
import RoostSQL
import RoostSQLite

@main
struct Program {
    static func main() async {
        LoggingSystem.bootstrap(RoostLogHandler.init)
        await Application.serve {
            let variables = ProcessEnvironment.variables
            return try makeApp(
                Database(SQLiteDriver(SQLiteConfiguration(path: variables["DATABASE"] ?? "NAME.sqlite"))),
                folder: variables["ROOT"] ?? "."
            )
        }
    }
}

/// Puts the application together: the same for the program and for its tests.
/// - Parameter folder: The folder with `Templates/` and `public/`.
func makeApp(_ database: Database, folder: String = ".") throws -> Application {
    let files = try StaticFiles(folder + "/public")
    let templates = try Templates(directory: folder + "/Templates", assets: files)
    return try Application(
        services: [database, Migrator(database, migrations)],
        templates: templates
    ) { routes in
        routes.get(Path("/")) { _ in Response.redirect(to: NoteController.paths.all.url()) }
        routes.add(NoteController(notes: Notes(database: database)))
        routes.fallback(files)
    }
}
