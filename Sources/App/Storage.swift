import Logging
import Roost
import RoostJobs
import RoostPostgres
import RoostSQL
import RoostSQLite

extension Settings {
    /// The database that they name; it is not open yet.
    func makeDatabase(_ logger: Logger = Logger(label: "app")) throws(StartError) -> Database {
        switch database {
        case .sqlite(let path):
            var configuration = SQLiteConfiguration(path: path)
            configuration.makesFolder = true
            return Database(SQLiteDriver(configuration, logger: logger), logger: logger)
        case .postgresql(let url):
            let configuration = PostgresConfiguration(
                maximumConnections: databaseConnections, directURL: databaseDirectURL)
            return Database(try PostgresDriver(url, configuration: configuration, logger: logger), logger: logger)
        }
    }

    /// The templates in the folder of the site.
    /// - Throws: `StartError` that names `ROOT` if their folder cannot be read; `TemplateErrors` for what is in it.
    func makeTemplates(
        reloads: Bool? = nil, assets: @autoclosure () throws -> (any AssetFolder)? = nil
    ) throws -> Templates {
        do {
            return try Templates(directory: root + "/Templates", reloads: reloads, assets: try assets())
        } catch let error as TemplateError {
            throw StartError.configuration("\(error). ROOT, the folder of Templates and public, is \"\(root)\".")
        }
    }
}

/// Removes ended sessions, and pictures that belong to no user, which a crash between storing a picture and recording
/// it may have left. One instance does so each night.
struct Cleanup: Job {
    func run(_ context: JobContext) async throws {
        try await context.service(SQLSessionStore.self).removeExpired()
        let users = try context.service(SQLUserRepository.self)
        let pictures = try context.service(PictureFolder.self).store
        // Younger ones may be of a request that is under way.
        _ = try await pictures.removeUnused(olderThan: .hours(1)) { try await users.pictures(among: $0) }
    }
}
