import Roost
import RoostAuth
import RoostAuthCommands
import RoostSQL
import RoostSQLite

/// The program serves the application, and has commands such as `accounts`, `check`, `migrate` and `backup`; `--help`
/// lists them.
@main
struct Program: AccountProgram {
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

    /// The accounts that may sign in. `SECRET_KEY` is for all instances; without it, devices are strangers after a
    /// restart.
    static func auth(_ database: Database) throws -> Auth {
        let key = try SigningKey(environment: ProcessEnvironment.variables) ?? .random()
        return Auth(database, key: key, isHTTPS: try isHTTPS)
    }

    /// Reads the program's own settings, so that `check` and `config` tell of them beside the server's.
    static func readSettings(_ reader: inout SettingsReader) {
        _ = reader.read(databaseFile)
        _ = reader.read(root)
        _ = reader.read("PUBLIC_URL") { variables throws(StartError) in try PublicURL(environment: variables) }
        _ = reader.read("ALLOWED_HOSTS") { variables throws(StartError) in try AllowedHosts(environment: variables) }
        _ = reader.read("SECRET_KEY", isSecret: true) { variables throws(StartError) in
            try SigningKey(environment: variables)
        }
    }

    /// Whether browsers reach the site over HTTPS, as `PUBLIC_URL` says.
    static var isHTTPS: Bool {
        get throws { try PublicURL(environment: ProcessEnvironment.variables)?.isHTTPS ?? false }
    }
+LANGUAGES
+LANGUAGES    /// The texts in Swift that visitors read, for the tables in `Languages/`; those of templates are known.
+LANGUAGES    static var texts: [String] {
+LANGUAGES        let all = [
+LANGUAGES            LoginPage.texts,
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
    let auth = try Program.auth(database)
    let isHTTPS = try Program.isHTTPS
    let hosts = try AllowedHosts(environment: ProcessEnvironment.variables)
    let sessions = Sessions(auth.sessions, isHTTPS: isHTTPS)
    let errorPages = ErrorPages(.page { error, _ in .view("error", error) })
+LANGUAGES    let languages = Languages(tables, cookie: "language", parameter: "language", isHTTPS: isHTTPS)
    return try Application(
        services: [database, Migrator(database, Program.migrations), auth],
        templates: templates,
        pageValues: { try await PageValues($0) },
-LANGUAGES        middleware: Application.standardMiddleware(isHTTPS: isHTTPS) + [
+LANGUAGES        middleware: [languages] + Application.standardMiddleware(isHTTPS: isHTTPS) + [
            // An error page shows who has signed in, too, and so comes after the users.
            hosts, sessions, Users(auth) { Member($0) }, errorPages,
        ]
    ) { routes in
        routes.get(Path("/")) { _ in Response.redirect(to: NoteController.paths.all.url()) }
        routes.add(LoginController(auth: auth, sessions: sessions))
        routes.add(NoteController(notes: Notes(database: database), members: auth.requireUser()))
        routes.fallback(files)
    }
}

/// The values that `Templates/layout.mustache` shows on every page.
struct PageValues: Encodable {
    var signedInAs: String?
+LANGUAGES    let language: String
+LANGUAGES    let isRightToLeft: Bool

-LANGUAGES    init(_ request: Request) async throws { signedInAs = try await request.member?.email }
+LANGUAGES    init(_ request: Request) async throws {
+LANGUAGES        signedInAs = try await request.member?.email
+LANGUAGES        language = request.messages.language
+LANGUAGES        isRightToLeft = request.messages.isRightToLeft
+LANGUAGES    }
}
