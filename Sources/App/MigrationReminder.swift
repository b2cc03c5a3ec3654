import Logging
import Roost
import RoostSQL

/// Logs at start which migrations the database lacks, where the start does not apply them: on a server in production.
struct MigrationReminder: HealthReporting {
    let migrator: Migrator
    let logger: Logger

    func start() async throws {
        do {
            let missing = try await migrator.status().filter { $0.appliedAt == nil }.map(\.name)
            guard !missing.isEmpty else { return }
            let names = missing.joined(separator: ", ")
            logger.error("The database lacks migrations (\(names)): run App migrate, or set MIGRATE=1.")
        } catch let error as DatabaseError {
            logger.warning("Cannot tell whether the database has all migrations: \(error)")
        }
    }

    var healthChecks: [HealthCheck] { migrator.healthChecks }

    func stop() async {}
}
