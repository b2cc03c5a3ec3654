// Statements that change data.

extension Database {
    /// Runs a statement that changes data, and returns the number of changed rows. When it returns, the change is as
    /// durable as the engine's settings promise.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> Int {
        try OpenTransaction.refuse(driver)
        return try await statements.execute(sql)
    }

    /// Runs an `INSERT` of one row, without `RETURNING` and `DO UPDATE`, and returns the row's new `id`; nil when
    /// nothing was inserted. In SQLite, `id` is the `INTEGER PRIMARY KEY` and not 0, so a table `WITHOUT ROWID` gives
    /// nil; `RETURNING` would cost more, because it keeps rows in a temporary table.
    ///
    ///     let id = try await database.insert("INSERT INTO users (name) VALUES (\(name))")
    public func insert(_ sql: SQL) async throws -> Int? {
        guard dialect == .sqlite else { return try await first("\(sql) RETURNING id", as: Int.self) }
        try OpenTransaction.refuse(driver)
        return try await statements.insert(sql)
    }
}
