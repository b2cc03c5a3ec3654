package import RoostSQL

/// A driver around another one, which has started: what a test does not change goes there.
package protocol WrappingDriver: SQLDriver {
    var driver: any SQLDriver { get }
}

extension WrappingDriver {
    package var dialect: SQLDialect { driver.dialect }

    package func start() async throws {}
    package func stop() async {}

    package func begin(
        _ isolation: SQLIsolation, deadline: ContinuousClock.Instant
    ) async throws -> any SQLDriverTransaction {
        try await driver.begin(isolation, deadline: deadline)
    }

    package func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws {
        try await driver.batch(statements, deadline: deadline)
    }

    package func open(_ statement: SQLStatement) async throws -> any SQLCursor { try await driver.open(statement) }
}
