public import Roost

extension SQLExecutor {
    /// Runs a query for a page of a list.
    ///
    ///     let page = try await database.page(
    ///         PageQuery(request), "SELECT id, name FROM rooms WHERE seats >= \(seats)", order: Self.order,
    ///         as: Room.self)
    ///
    /// The page begins after a row, or ends before one, by the values of that row: it costs the same wherever it is,
    /// and rows that others add or remove meanwhile move none to another page.
    /// - Parameters:
    ///   - query: The page that the client asks for.
    ///   - rows: The statement for all rows, without `ORDER BY` and `LIMIT`.
    ///   - order: The orders that the client may choose from.
    /// - Throws: `HTTPError` with 400 for an order that the list does not have, and for a cursor that is none.
    public func page<Row: Decodable & Sendable>(
        _ query: PageQuery, _ rows: SQL, order: PageOrder<Row>, as type: Row.Type = Row.self
    ) async throws -> Page<Row> {
        let read = try await self.query(order.sql(rows, for: query), as: type)
        return Page(read: read, for: query) { order.cursor(of: $0, in: query) }
    }

    /// The same for rows that read themselves.
    public func page<Row: SQLReadable>(
        _ query: PageQuery, _ rows: SQL, order: PageOrder<Row>, as type: Row.Type = Row.self
    ) async throws -> Page<Row> {
        let read = try await self.query(order.sql(rows, for: query), as: type)
        return Page(read: read, for: query) { order.cursor(of: $0, in: query) }
    }
}
