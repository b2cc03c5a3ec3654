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
