import Roost
import RoostSQL
import Synchronization

/// A driver without an engine: it returns the same rows for every statement, and remembers the statements.
final class CannedDriver: SQLDriver {
    enum Event: Equatable {
        case run(SQL)
        case began
        case ran(SQL)
        case committed
        case rolledBack
        case batch([SQL])
        case fetched(Int)
        case closed
    }

    let dialect: SQLDialect
    let columns: [String]
    let rows: [[SQLValue]]
    let failure: DatabaseError?
    private let log = Mutex<[Event]>([])

    init(
        _ columns: [String] = [],
        _ rows: [[SQLValue]] = [],
        failure: DatabaseError? = nil,
        dialect: SQLDialect = .sqlite
    ) {
        self.dialect = dialect
        self.columns = columns
        self.rows = rows
        self.failure = failure
    }

    var use: SQLUse? { SQLUse(busy: 1, idle: 2, limit: 3, waiting: 4) }

    var events: [Event] { log.withLock { $0 } }
    func note(_ event: Event) { log.withLock { $0.append(event) } }

    func start() async throws {}
    func stop() async {}

    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        note(.run(statement.sql))
        if let failure { throw failure }
        for row in rows where try !each(&state, CannedRow(columns, row)) { break }
        return SQLOutcome(changes: rows.count)
    }

    func begin(_ isolation: SQLIsolation, deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction {
        note(.began)
        return CannedTransaction(driver: self)
    }

    func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws { note(.batch(statements)) }

    func open(_ statement: SQLStatement) async throws -> any SQLCursor { CannedCursor(self) }
}

struct CannedTransaction: SQLDriverTransaction {
    let driver: CannedDriver

    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        try await driver.run(statement, into: &state, each)
    }

    func run(script: String, deadline: ContinuousClock.Instant) async throws {
        driver.note(.ran(SQL(unchecked: script)))
    }
    func commit(deadline: ContinuousClock.Instant) async throws { driver.note(.committed) }
    func rollBack() async { driver.note(.rolledBack) }
}

final class CannedCursor: SQLCursor {
    private let driver: CannedDriver
    private let position = Mutex(0)

    init(_ driver: CannedDriver) { self.driver = driver }

    func fetch<State: Sendable>(
        atMost count: Int,
        deadline: ContinuousClock.Instant,
        into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Void
    ) async throws -> (state: State, isAtEnd: Bool) {
        let rows = position.withLock { position in
            defer { position = min(position + count, driver.rows.count) }
            return driver.rows[position...].prefix(count)
        }
        driver.note(.fetched(rows.count))
        var state = state
        for row in rows { try each(&state, CannedRow(driver.columns, row)) }
        return (state, rows.count < count)
    }

    func close() { driver.note(.closed) }
}

final class CannedRow: SQLRow {
    let columnNames: [String]
    private let values: [SQLValue]

    init(_ columnNames: [String], _ values: [SQLValue]) {
        self.columnNames = columnNames
        self.values = values
    }

    func isNull(_ column: Int) -> Bool { values[column] == .null }
    func integer(_ column: Int) -> Int64? { if case .integer(let value) = values[column] { value } else { nil } }
    func real(_ column: Int) -> Double? { if case .real(let value) = values[column] { value } else { nil } }
    func bool(_ column: Int) -> Bool? { integer(column).flatMap { [0: false, 1: true][$0] } }
    func text(_ column: Int) -> String? { if case .text(let value) = values[column] { value } else { nil } }
    func blob(_ column: Int) -> [UInt8]? { if case .blob(let value) = values[column] { value } else { nil } }
    func typeName(_ column: Int) -> String {
        switch values[column] {
        case .null: "NULL"
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        }
    }
}
