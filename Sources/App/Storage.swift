import Glibc
import Logging
import Roost
import RoostCommands
import RoostPostgres
import RoostSQL
import RoostSQLite

/// The storage of the site's data, according to `DATABASE_URL`.
struct Storage: Sendable {
    let users: any UserRepository
    let pictures: any FileStore
    /// The database; nil when everything is in memory.
    let database: Database?
    /// The services that must be started for it, in this order.
    let services: [any Service]

    /// Keeps everything in memory, until the process ends.
    static var memory: Storage {
        Storage(users: MemoryUserRepository(), pictures: MemoryFileStore(), database: nil, services: [])
    }

    /// The storage that the settings name.
    init(_ settings: Settings, _ logger: Logger) throws(StartError) {
        guard let url = settings.database else {
            self = .memory
            return
        }
        let database = try Self.database(settings, logger)
        let migrator = Migrator(database, Migrations.all, logger: logger)
        let topic = SQLUserRepository.topic(in: database, logger: logger)
        let migration: any Service =
            settings.migrates ? migrator : MigrationReminder(migrator, logger: logger)
        let sessions = SQLSessionStore(
            database, idleTimeout: settings.sessionIdleTimeout, lifetime: settings.sessionLifetime)
        let cleanup = Periodic("cleanup", every: .minutes(10), lock: SQLJobLock(database), logger: logger) {
            _ = try await sessions.removeExpired()
        }
        let copy = try settings.databaseRead.map { url throws(StartError) in
            try Self.database(url, name: "read", connections: settings.databaseConnections, logger)
        }
        let pictures = PictureFolder(settings.dataFolder, url)
        let users = SQLUserRepository(
            database: database, topic: topic, replica: copy.map { ReadReplica(of: database, copy: $0) })
        let tidying = Periodic("pictures", every: .hours(1), lock: SQLJobLock(database), logger: logger) {
            try await pictures.removeUnused(users)
        }
        self.init(
            users: users,
            pictures: pictures.store,
            database: database,
            services: [database, migration, topic, pictures, cleanup, tidying]
                + (copy.map { [CopyService(database: $0)] } ?? [])
        )
    }

    private init(
        users: any UserRepository, pictures: any FileStore, database: Database?, services: [any Service]
    ) {
        self.users = users
        self.pictures = pictures
        self.database = database
        self.services = services
    }

    /// The database that the settings name; it is not open yet.
    static func database(
        _ settings: Settings, _ logger: Logger = Logger(label: "app")
    ) throws(StartError) -> Database {
        try database(
            settings.database ?? .sqlite(path: ":memory:"), directly: settings.databaseDirectURL,
            connections: settings.databaseConnections, logger)
    }

    /// The database that a URL names; it is not open yet.
    /// - Parameters:
    ///   - name: The database's name in the metrics.
    ///   - direct: The URL of the server itself, if `url` is that of a pooler.
    ///   - connections: The most connections to a database server.
    private static func database(
        _ url: DatabaseURL,
        name: String = "main",
        directly direct: String? = nil,
        connections: Int,
        _ logger: Logger
    ) throws(StartError) -> Database {
        switch url {
        case .sqlite(let path):
            makeFolder(of: path)
            return Database(SQLiteDriver(SQLiteConfiguration(path: path), logger: logger), name: name, logger: logger)
        case .postgresql(let url):
            let configuration = PostgresConfiguration(maximumConnections: connections, directURL: direct)
            let driver = try PostgresDriver(url, configuration: configuration, logger: logger)
            return Database(driver, name: name, logger: logger)
        }
    }

    /// Creates the file's folder if it is missing, for its owner only. A failure is reported when the file is opened.
    private static func makeFolder(of path: String) {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        mkdir(String(path[..<slash]), 0o700)
    }
}
