import Logging
import Processes
import RoostAuth
import RoostPostgres
import RoostSQL
import RoostSQLite

/// The kind of store in which a test keeps accounts and their sessions; each test has its own.
enum Keeping: CaseIterable {
    case memory
    case sqlite
    case postgresql

    /// Those that this machine supports.
    static let allCases: [Keeping] =
        PostgresServer.isInstalled ? [.memory, .sqlite, .postgresql] : [.memory, .sqlite]

    /// A new database with the tables; nil for memory.
    func database() async throws -> Database? {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let patient = DatabaseConfiguration(timeout: .seconds(3600))
        let database: Database
        switch self {
        case .memory: return nil
        case .sqlite:
            var configuration = SQLiteConfiguration(path: ":memory:")
            configuration.transactionTimeout = .seconds(3600)
            database = Database(SQLiteDriver(configuration, logger: logger), configuration: patient, logger: logger)
        case .postgresql:
            let url = try await PostgresServer.shared().makeDatabase()
            let configuration = PostgresConfiguration(
                maximumConnections: 3, waitTimeout: .seconds(3600), connectTimeout: .seconds(3600))
            let driver = try PostgresDriver(url, configuration: configuration, logger: logger)
            database = Database(driver, configuration: patient, logger: logger)
        }
        try await database.start()
        let migrations = [Migration("sessions", sql: SQLSessionStore.schema)] + AuthMigrations.all
        try await Migrator(database, migrations, logger: logger).run()
        return database
    }
}
