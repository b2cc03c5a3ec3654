import Logging
import Roost
import RoostCommands
import RoostJobs
import RoostMail
import RoostPostgres
import RoostSQL
import RoostSQLite
import RoostTLS

/// The site's data: a database and pictures, and the services that look after them.
struct Storage: Sendable {
    let database: Database
    let users: SQLUserRepository
    /// Tells of accounts to which something has happened.
    let accountChanges: SQLTopic<AccountChange>
    let pictures: any FileStore
    /// The place for certificates that instances share; nil for the folder of this machine.
    let certificates: (any CertificateStorage)?
    /// The services that must be started for it, in this order.
    let services: [any Service]

    /// The storage that the settings name; it is not open yet.
    /// - Parameter mailer: The mailer whose mails wait among the jobs.
    init(_ settings: Settings, _ mailer: Mailer, _ logger: Logger) throws(StartError) {
        let database = try Self.database(settings, logger)
        var users = SQLUserRepository(database: database, logger: logger)
        let folder = PictureFolder(settings)
        var quietly = logger
        // A database in memory is new at each start; nobody needs to read that.
        if settings.isInMemory { quietly.logLevel = max(logger.logLevel, .warning) }
        let migrator = Migrator(database, Migrations.all, logger: quietly)
        let receiver: [any Sendable] = settings.webhook.map { [$0] } ?? []
        let jobs = Jobs(
            database, [Cleanup.self, MailDelivery.self, UserWebhook.self], queues: ["default": 10, "mail": 4],
            schedules: [JobSchedule("0 4 * * *", Cleanup())],
            services: [Self.sessions(settings, database), folder, users, mailer] + receiver, logger: logger)
        if settings.webhook != nil { users.webhooks = jobs }
        self.database = database
        self.users = users
        accountChanges = SQLTopic("accounts", in: database, logger: logger)
        pictures = folder.store
        certificates = database.dialect == .postgresql ? SQLCertificateStorage(database) : nil
        services = [
            database, settings.migrates ? migrator : MigrationReminder(migrator, logger: logger),
            users.topic, accountChanges, folder, mailer, jobs,
        ]
    }

    /// The database that the settings name; it is not open yet.
    static func database(_ settings: Settings, _ logger: Logger = Logger(label: "app")) throws(StartError) -> Database {
        switch settings.database {
        case .sqlite(let path):
            var configuration = SQLiteConfiguration(path: path)
            configuration.makesFolder = true
            return Database(SQLiteDriver(configuration, logger: logger), logger: logger)
        case .postgresql(let url):
            let configuration = PostgresConfiguration(
                maximumConnections: settings.databaseConnections, directURL: settings.databaseDirectURL)
            return Database(try PostgresDriver(url, configuration: configuration, logger: logger), logger: logger)
        }
    }

    /// The sessions, in a database.
    static func sessions(_ settings: Settings, _ database: Database) -> SQLSessionStore {
        SQLSessionStore(database, idleTimeout: settings.sessionIdleTimeout, lifetime: settings.sessionLifetime)
    }
}

/// Removes what nobody needs any more: sessions that have ended, and the pictures of no user, which a crash between
/// keeping one and noting it has left. One instance does it each night.
struct Cleanup: Job {
    func run(_ context: JobContext) async throws {
        try await context.service(SQLSessionStore.self).removeExpired()
        let users = try context.service(SQLUserRepository.self)
        let pictures = try context.service(PictureFolder.self).store
        // Younger ones may be of a request that is under way.
        _ = try await pictures.removeUnused(olderThan: .hours(1)) { try await users.pictures(among: $0) }
    }
}
