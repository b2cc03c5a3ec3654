import Logging
import Processes
import RoostSQL
import Testing

@testable import Roost
@testable import RoostPostgres

/// The place of the tests' code: a driver must work on a server's loop, and in a program without one.
enum Place: CaseIterable {
    case loop, elsewhere

    @discardableResult
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard self == .loop else { return try await body() }
        let group = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 4, queue: 100))
        let result = await Task(executorPreference: group.loops[0]) { try await body() }.result
        group.stop()
        return try result.get()
    }

    /// Provides a new database on the tests' server, which is closed afterwards.
    /// - Parameter options: What comes after the database's name in the URL.
    @discardableResult
    func withDatabase<Value: Sendable>(
        _ configuration: PostgresConfiguration = PostgresConfiguration(),
        options: String = "",
        timeout: Duration = .seconds(100),
        logger: Logger = .silent,
        _ body: @escaping @Sendable (Database) async throws -> Value
    ) async throws -> Value {
        let url = try await PostgresServer.shared().makeDatabase() + options
        return try await run {
            let driver = try PostgresDriver(url, configuration: configuration.patient, logger: logger)
            let limits = DatabaseConfiguration(timeout: timeout)
            let database = Database(driver, configuration: limits, logger: logger)
            try await database.start()
            let result: Result<Value, any Error>
            do { result = .success(try await body(database)) } catch { result = .failure(error) }
            await database.stop()
            return try result.get()
        }
    }
}

extension PostgresConfiguration {
    /// The defaults, but with enough time for a busy machine.
    static let patient = PostgresConfiguration().patient

    /// With enough time for a busy machine, where a test is not about these limits.
    var patient: PostgresConfiguration {
        var patient = self
        patient.waitTimeout = .seconds(100)
        patient.connectTimeout = .seconds(100)
        patient.abandonment.patience = .seconds(100)
        return patient
    }
}

extension DatabaseConfiguration {
    /// With enough time for a busy machine.
    static let patient = DatabaseConfiguration(timeout: .seconds(100))
}

extension Logger {
    /// A log that nobody reads.
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

/// The text of an expected error.
func text(_ error: (any Error)?) -> String { error.map { "\($0)" } ?? "no error" }

/// Runs something in a task that is in no transaction, even if this one is in one.
@discardableResult
func apart<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task.detached { try await body() }.value
}
