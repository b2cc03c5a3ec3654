import Glibc
import Logging
import Processes
import RoostPostgres
package import RoostSQL
import RoostSQLite

/// A database engine; what a test demands of one, it demands of all.
package enum Engine: CaseIterable {
    case sqlite
    case postgresql

    /// Those that this machine has.
    package static let allCases: [Engine] = PostgresServer.isInstalled ? [.sqlite, .postgresql] : [.sqlite]

    /// Runs a test with started databases of several instances of a program, which share a table `users (id, name
    /// UNIQUE)` with two rows, and nothing else.
    package func run(instances: Int = 1, _ body: ([Database]) async throws -> Void) async throws {
        let folder = "/tmp/roost-engine-\(getpid())-\(UInt64.random(in: 0...(.max)))"
        let url = self == .sqlite ? folder + "/test.sqlite" : try await PostgresServer.shared().makeDatabase()
        mkdir(folder, 0o700)
        defer {
            for suffix in ["", "-wal", "-shm"] { unlink(folder + "/test.sqlite" + suffix) }
            rmdir(folder)
        }
        let databases = try (0..<instances).map { _ in try database(url) }
        for database in databases { try await database.start() }
        let result: Result<Void, any Error>
        do {
            let id: SQL = self == .sqlite ? "INTEGER PRIMARY KEY" : "SERIAL PRIMARY KEY"
            try await databases[0].execute("CREATE TABLE users (id \(id), name TEXT NOT NULL UNIQUE)")
            try await databases[0].execute("INSERT INTO users (name) VALUES ('Nelson'), ('Cathy')")
            result = .success(try await body(databases))
        } catch {
            result = .failure(error)
        }
        for database in databases { await database.stop() }
        try result.get()
    }

    /// A database that waits for as long as a busy machine takes.
    private func database(_ place: String) throws -> Database {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let patience = Duration.seconds(3600)
        let driver: any SQLDriver
        switch self {
        case .sqlite:
            var configuration = SQLiteConfiguration(path: place)
            configuration.transactionTimeout = patience
            configuration.busyTimeout = patience
            driver = SQLiteDriver(configuration, logger: silent)
        case .postgresql:
            let configuration = PostgresConfiguration(
                maximumConnections: 5, waitTimeout: patience, connectTimeout: patience)
            driver = try PostgresDriver(place, configuration: configuration, logger: silent)
        }
        return Database(driver, configuration: DatabaseConfiguration(timeout: patience), logger: silent)
    }
}

extension Database {
    /// Waits until a statement waits for a lock that another transaction has, in PostgreSQL.
    package func untilOneWaits() async throws {
        let count: SQL = """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        while try await first(count, as: Int.self) == 0 {}
    }
}
