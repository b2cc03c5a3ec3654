import Roost
import Synchronization

extension Database {
    /// Runs a test on a database whose changes are all undone at its end.
    ///
    ///     try await database.rolledBack { database in
    ///         let client = TestClient(try makeApp(database))
    ///         try await client.post("/notes", json: Note(text: "Mend the roof"))
    ///         try await client.stop()
    ///     }
    ///
    /// Everything happens in one transaction, which is rolled back, so any number of tests can share a database that
    /// was started and migrated once, and none sees what another wrote. In SQLite they take turns; in PostgreSQL as
    /// many run at a time as there are connections, and the others wait.
    ///
    /// The database behaves like any other, with these limits: statements run one after the other, on one connection; a
    /// transaction of the application is a savepoint, whatever isolation it requests, and blocks all other statements
    /// until it ends; effects of a commit, such as deferred constraints or notifications to other programs, do not
    /// occur; a stream reads all its rows at once; in PostgreSQL, `now()` stands still, and sequences are not reset. A
    /// statement that is cancelled or takes too long ends the transaction, and all later ones fail. SQLite also ends a
    /// transaction that is idle for its driver's `transactionTimeout`.
    /// - Parameter body: Gets the database for the test; it cannot use the original one meanwhile.
    /// - Throws: What `body` throws; ``DatabaseError`` when the transaction cannot begin.
    public func rolledBack<Value: Sendable>(_ body: (Database) async throws -> Value) async throws -> Value {
        try OpenTransaction.refuse(driver)
        let deadline = configuration.now() + max(configuration.timeout, .seconds(600))
        let begun: any SQLDriverTransaction
        if let driver = driver as? any PatientDriver {
            begun = try await driver.beginPatiently(deadline: deadline)
        } else {
            begun = try await driver.begin(.standard, deadline: deadline)
        }
        let inner = RolledBackDriver(begun, dialect, configuration.now)
        let database = Database(inner, name: name, configuration: configuration, logger: statements.logger)
        let result: Result<Value, any Error>
        do {
            result = .success(try await OpenTransaction.run(on: driver) { try await body(database) })
        } catch {
            result = .failure(error)
        }
        await inner.end()
        return try result.get()
    }
}

/// A driver whose callers wait less long for a connection than until their deadline, except for a test.
package protocol PatientDriver: SQLDriver {
    /// Begins a transaction of the engine's default isolation, and waits for its connection until the deadline.
    func beginPatiently(deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction
}

/// A driver whose statements all run in one transaction, which is never committed.
///
/// Each statement has a savepoint around it: otherwise PostgreSQL would do nothing more after an error.
final class RolledBackDriver: SQLDriver {
    let dialect: SQLDialect
    private let begun: any SQLDriverTransaction
    private let now: @Sendable () -> ContinuousClock.Instant
    private let turns = Turns()
    private let isOver = Atomic(false)

    init(
        _ begun: any SQLDriverTransaction, _ dialect: SQLDialect,
        _ now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        (self.begun, self.dialect, self.now) = (begun, dialect, now)
    }

    // MARK: Statements

    func run<State: Sendable>(
        _ statement: SQLStatement, into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        try await part(statement.deadline) { try await $0.run(statement, into: &state, each) }
    }

    func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws {
        try await part(deadline) { part in
            for sql in statements {
                var unread = 0
                let statement = SQLStatement(sql, isQuery: false, deadline: deadline)
                _ = try await part.run(statement, into: &unread) { _, _ in true }
            }
        }
    }

    /// Runs something in a part of the transaction, of which nothing remains if that throws.
    private func part<Value>(
        _ deadline: ContinuousClock.Instant, _ body: (any SQLDriverTransaction) async throws -> Value
    ) async throws -> Value {
        let part = try await begin(.standard, deadline: deadline)
        do {
            let value = try await body(part)
            try await part.commit(deadline: deadline)
            return value
        } catch {
            await part.rollBack()
            throw error
        }
    }

    func open(_ statement: SQLStatement) async throws -> any SQLCursor {
        WholeResult(driver: self, sql: statement.sql)
    }

    /// Begins a part of the transaction, which others wait for.
    func begin(
        _ isolation: SQLIsolation, deadline: ContinuousClock.Instant
    ) async throws -> any SQLDriverTransaction {
        try await turns.take(until: deadline, now)
        do {
            guard !isOver.load(ordering: .acquiring) else { throw DatabaseError.unavailable(DatabaseError.notOpen) }
            try await begun.run(savepoint: "SAVEPOINT \(Part.name)", deadline: deadline)
        } catch {
            turns.pass()
            throw error
        }
        return Part(begun, turns, now)
    }

    // MARK: The end

    /// Undoes everything; statements that follow find a database that is not open.
    func end() async {
        isOver.store(true, ordering: .releasing)
        // Also in a cancelled task, and even if an application leaves a transaction open.
        try? await toTheEnd { [turns, now] in try await turns.take(until: now() + .seconds(30), now) }
        await begun.rollBack()
        turns.pass()
    }

    // MARK: Service

    /// Does nothing: it has a connection.
    func start() async throws {}

    /// Does nothing: the test may use the database again.
    func stop() async {}
}

/// A part of a transaction that can be undone alone; the others wait for its end.
private final class Part: SQLDriverTransaction {
    static let name = "roost_part"

    private let begun: any SQLDriverTransaction
    private let turns: Turns
    private let now: @Sendable () -> ContinuousClock.Instant
    private let isOver = Atomic(false)

    init(_ begun: any SQLDriverTransaction, _ turns: Turns, _ now: @escaping @Sendable () -> ContinuousClock.Instant) {
        (self.begun, self.turns, self.now) = (begun, turns, now)
    }

    func run<State: Sendable>(
        _ statement: SQLStatement, into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        try check()
        return try await begun.run(statement, into: &state, each)
    }

    func run(script: String, deadline: ContinuousClock.Instant) async throws {
        try check()
        try await begun.run(script: script, deadline: deadline)
    }

    func run(savepoint command: String, deadline: ContinuousClock.Instant) async throws {
        try check()
        try await begun.run(savepoint: command, deadline: deadline)
    }

    func commit(deadline: ContinuousClock.Instant) async throws {
        try check()
        // A cancelled task commits, too. After an error, the caller rolls back.
        try await toTheEnd { [begun] in
            try await begun.run(savepoint: "RELEASE SAVEPOINT \(Self.name)", deadline: deadline)
        }
        if isFirstEnd { turns.pass() }
    }

    func rollBack() async {
        guard isFirstEnd else { return }
        try? await toTheEnd { [begun, now] in
            let deadline = now() + .seconds(30)
            try? await begun.run(savepoint: "ROLLBACK TO SAVEPOINT \(Self.name)", deadline: deadline)
            try? await begun.run(savepoint: "RELEASE SAVEPOINT \(Self.name)", deadline: deadline)
        }
        turns.pass()
    }

    private var isFirstEnd: Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }

    private func check() throws(DatabaseError) {
        if isOver.load(ordering: .acquiring) { throw .transactionHasEnded }
    }
}

/// A result whose first portion is all of it, however many rows are asked for: its reader takes any number.
private struct WholeResult: SQLCursor {
    let driver: RolledBackDriver
    let sql: SQL

    func fetch<State: Sendable>(
        atMost count: Int, deadline: ContinuousClock.Instant, into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Void
    ) async throws -> (state: State, isAtEnd: Bool) {
        var state = state
        _ = try await driver.run(SQLStatement(sql, isQuery: true, deadline: deadline), into: &state) { state, row in
            try each(&state, row)
            return true
        }
        return (state, true)
    }

    func close() {}
}

/// The right to use a connection, which one task at a time has, in the order in which they ask for it.
///
/// Each waits for the one element of its own stream. The stream ends when its task is cancelled or its time is over,
/// and takes nothing after that, so that no turn is lost.
private final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Returns when the caller has its turn, which it must ``pass()`` on.
    /// - Throws: ``DatabaseError/timeout(_:)``, `CancellationError`.
    func take(until deadline: ContinuousClock.Instant, _ now: @Sendable () -> ContinuousClock.Instant) async throws {
        try Task.checkCancellation()
        let (turns, turn) = AsyncStream<Void>.makeStream()
        state.withLock { state in
            if state.isTaken { state.waiters.append(turn) } else { turn.yield() }
            state.isTaken = true
        }
        let rest = now().duration(to: deadline)
        let end = Task {
            try await ContinuousClock().sleep(for: rest)
            turn.finish()
        }
        defer { end.cancel() }
        guard await turns.first(where: { _ in true }) == nil else { return }
        try Task.checkCancellation()
        throw DatabaseError.lateForItsTurn
    }

    /// Gives the turn to the next one that still waits.
    func pass() {
        while let next = state.withLock({ state in
            state.isTaken = !state.waiters.isEmpty
            return state.isTaken ? state.waiters.removeFirst() : nil
        }) {
            if case .enqueued = next.yield() { return }
        }
    }
}
