import FoundationEssentials
import Glibc
import Logging
import Processes
import RoostPostgres
import RoostSQL
import RoostSQLite
import Synchronization

@testable import App

/// Databases for tests, each new and migrated.
enum TestDatabase {
    /// A SQLite file in a folder that is removed when the tests end.
    static func sqlite() async throws -> Database {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var configuration = SQLiteConfiguration(path: "\(folder)/\(number).sqlite")
        // With many other tests, a task may wait long for its thread.
        configuration.transactionTimeout = .seconds(3600)
        let database = Database(
            SQLiteDriver(configuration, logger: logger),
            configuration: DatabaseConfiguration(timeout: .seconds(3600)),
            logger: logger
        )
        try await database.start()
        try await Migrator(database, Migrations.all, logger: logger).run()
        return database
    }

    /// A database on the tests' own server.
    static func postgresql() async throws -> Database {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let url = try await PostgresServer.shared().makeDatabase()
        // With many other tests, a statement may take long.
        let configuration = PostgresConfiguration(
            maximumConnections: 3, waitTimeout: .seconds(3600), connectTimeout: .seconds(3600))
        let database = Database(
            try PostgresDriver(url, configuration: configuration, logger: logger),
            configuration: DatabaseConfiguration(timeout: .seconds(3600)),
            logger: logger
        )
        try await database.start()
        try await Migrator(database, Migrations.all, logger: logger).run()
        return database
    }

    private static let counter = Atomic(0)

    private static let folder: String = {
        atexit { try? FileManager.default.removeItem(atPath: TestDatabase.folderName) }
        mkdir(folderName, 0o700)
        return folderName
    }()

    private static let folderName = "/tmp/roost-tests-\(getpid())"
}
