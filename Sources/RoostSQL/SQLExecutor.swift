public import Roost

/// Runs statements: each by itself in a ``Database``, all or none in a ``Transaction``.
///
///     let users = try await database.query("SELECT id, name FROM users WHERE name = \(name)", as: User.self)
///
/// Each row is decoded into a `Decodable` type whose coding keys are column names. A type that is one value (`Int`,
/// `String`, `Date?`) is decoded from the first column. Columns without a coding key are ignored. A ``SQLReadable``
/// type reads the columns itself.
///
/// All functions throw ``DatabaseError``, or `CancellationError` when their task is cancelled. If a row cannot be
/// decoded, its statement is undone: nothing is left of an `INSERT … RETURNING`. The exception is a change made by a
/// function that a `SELECT` calls: PostgreSQL keeps it.
public protocol SQLExecutor: Sendable {
    /// The SQL dialect of the engine, for the few statements that differ.
    var dialect: SQLDialect { get }

    /// The limits of the statements, which are the same for every engine.
    var configuration: DatabaseConfiguration { get }

    /// Runs a query and reduces its rows, like `reduce(into:)` on a sequence. All other queries here use it.
    /// - Parameter each: Called for each row, on any thread; return false to leave out the rest. It may be called again
    ///   from the first row, with the initial state, when the engine had to begin the query again.
    func read<State: Sendable>(
        _ sql: SQL, into state: State, _ each: @escaping @Sendable (inout State, inout SQLColumns) throws -> Bool
    ) async throws -> State

    /// Runs a statement that changes data, and returns the number of changed rows. Outside a transaction, the change is
    /// then as durable as the engine's settings promise.
    @discardableResult
    func execute(_ sql: SQL) async throws -> Int
}

extension SQLExecutor {
    /// Runs a query and returns all its rows, at most ``DatabaseConfiguration/maximumRows``.
    @inlinable
    public func query<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
        try await rows(sql, limit: configuration.maximumRows) { try $0.decode(type) }
    }

    /// Runs a query and returns all its ``SQLReadable`` rows, at most ``DatabaseConfiguration/maximumRows``.
    @inlinable
    public func query<Row: SQLReadable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
        try await rows(sql, limit: configuration.maximumRows) { try Row(reading: &$0) }
    }

    /// Runs one of the framework's own queries, which limits its result itself, and returns all rows, even if they are
    /// more than ``DatabaseConfiguration/maximumRows``.
    @inlinable
    package func queryAll<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
        try await rows(sql, limit: .max) { try $0.decode(type) }
    }

    /// Runs a query and returns its first row; nil when there is none.
    @inlinable
    public func first<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> Row? {
        try await row(sql) { try $0.decode(type) }
    }

    /// Runs a query and returns its first row, a ``SQLReadable``; nil when there is none.
    @inlinable
    public func first<Row: SQLReadable>(_ sql: SQL, as type: Row.Type) async throws -> Row? {
        try await row(sql) { try Row(reading: &$0) }
    }

    @inlinable
    @inline(__always)
    func rows<Row: Sendable>(
        _ sql: SQL, limit: Int, _ make: @escaping @Sendable (inout SQLColumns) throws -> Row
    ) async throws -> [Row] {
        try await read(sql, into: []) { rows, columns in
            guard rows.count < limit else { throw DatabaseError.tooManyRows(limit: limit) }
            if rows.capacity == 0 { rows.reserveCapacity(min(limit, 8)) }  // rather than for 1, 2 and 4
            rows.append(try make(&columns))
            return true
        }
    }

    @inlinable
    @inline(__always)
    func row<Row: Sendable>(
        _ sql: SQL, _ make: @escaping @Sendable (inout SQLColumns) throws -> Row
    ) async throws -> Row? {
        try await read(sql, into: nil) { row, columns in
            row = try make(&columns)
            return false
        }
    }
}

extension SQLExecutor {
    /// Runs a query for a page of a list.
    ///
    ///     let page = try await database.page(
    ///         PageQuery(request), "SELECT id, name FROM rooms WHERE seats >= \(seats)", order: Self.order,
    ///         as: Room.self)
    ///
    /// A cursor holds the values of the row after which the page begins, or before which it ends. So every page costs
    /// the same, and rows that others add or remove meanwhile move no other row to another page.
    /// - Parameters:
    ///   - query: The page that the client asks for.
    ///   - rows: The statement for all rows, without `ORDER BY` and `LIMIT`.
    ///   - order: The orders that the client may choose from.
    /// - Throws: `HTTPError` with 400 for an order that the list does not have, and for a cursor that is none.
    @inlinable
    public func page<Row: Decodable & Sendable>(
        _ query: PageQuery, _ rows: SQL, order: PageOrder<Row>, as type: Row.Type = Row.self
    ) async throws -> Page<Row> {
        // The statement says how many rows it returns at most.
        let sql = try order.sql(rows, for: query, in: dialect)
        let read = try await self.rows(sql, limit: .max) { try $0.decode(type) }
        return Page(read: read, for: query) { order.cursor(of: $0, in: query) }
    }

    /// Runs a query for a page of a list of ``SQLReadable`` rows.
    @inlinable
    public func page<Row: SQLReadable>(
        _ query: PageQuery, _ rows: SQL, order: PageOrder<Row>, as type: Row.Type = Row.self
    ) async throws -> Page<Row> {
        let sql = try order.sql(rows, for: query, in: dialect)
        let read = try await self.rows(sql, limit: .max) { try Row(reading: &$0) }
        return Page(read: read, for: query) { order.cursor(of: $0, in: query) }
    }
}
