/// The rows of a query, read on demand; see ``Database/stream(_:as:)``.
public struct RowStream<Row: Decodable & Sendable>: AsyncSequence, Sendable {
    let driver: any SQLDriver
    let statements: StatementRunner
    let sql: SQL
    let make: @Sendable (inout SQLColumns) throws -> Row

    /// Starts at the first row.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// A position in the rows.
    public final class Iterator: AsyncIteratorProtocol {
        private let stream: RowStream
        private var cursor: (any SQLCursor)?
        /// The rows of the current portion that have not been handed out.
        private var rows: ArraySlice<Row> = []
        private var isAtEnd = false

        /// The most rows that are read at a time.
        private static var portion: Int { 256 }

        init(_ stream: RowStream) { self.stream = stream }

        deinit { cursor?.close() }

        /// The next row, read on the caller's actor; nil after the last.
        /// - Throws: ``DatabaseError`` or `CancellationError`.
        public func next(isolation actor: isolated (any Actor)? = #isolation) async throws(any Error) -> Row? {
            if rows.isEmpty, !isAtEnd {
                do {
                    try await fetch()
                } catch {
                    end()
                    throw error
                }
            }
            return rows.popFirst()
        }

        private func fetch() async throws {
            try OpenTransaction.refuse(stream.driver)
            rows = []
            // On a timeline, a statement that runs often is a mistake: so only the first portion is there.
            let portion = try await stream.statements.timed(stream.sql.text, isShown: cursor == nil) {
                try await readPortion()
            }
            rows = portion.rows[...]
            if portion.isAtEnd { end() }
        }

        private func readPortion() async throws -> (rows: [Row], isAtEnd: Bool) {
            let cursor = try await opened()
            let (naming, make) = (stream.statements.configuration.columnNames, stream.make)
            let read = try await cursor.fetch(
                atMost: Self.portion,
                deadline: stream.statements.deadline,
                into: [Row]()
            ) { rows, row in
                var columns = SQLColumns(row, naming)
                rows.append(try make(&columns))
            }
            return (read.state, read.isAtEnd)
        }

        private func opened() async throws -> any SQLCursor {
            if let cursor { return cursor }
            try stream.sql.check()
            let deadline = stream.statements.deadline
            let opened = try await stream.driver.open(SQLStatement(stream.sql, isQuery: true, deadline: deadline))
            cursor = opened
            return opened
        }

        private func end() {
            isAtEnd = true
            cursor?.close()
            cursor = nil
        }
    }
}
