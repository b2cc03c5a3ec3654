extension Response {
    /// A table as a CSV file to download, with a line of headings and one per row, written as it is sent (RFC 4180).
    ///
    ///     return .csv(database.stream("SELECT id, name, seats FROM rooms", as: Room.self), fileName: "rooms.csv")
    ///
    /// A row is an object, whose members are the cells and their names the heads, or a list of cells. A text that a
    /// spreadsheet would take for a formula, because it begins with `=`, `+`, `-`, `@`, TAB or a line break, gets a
    /// `'` before it, and so does a sign after a line break, TAB or `;` in it; ``CSVRows`` takes them away. Numbers get
    /// none, and neither do times, which are written in UTC as in JSON.
    ///
    /// The first 16 KiB of rows, or all of them if there are fewer, are read before the response is sent: an error in
    /// them still becomes the response, such as 503 without a database. A later one ends the connection, so that the
    /// client sees that the file is incomplete.
    /// - Parameters:
    ///   - rows: The rows; more of them are asked for only as fast as the client reads.
    ///   - fileName: Any name, also one with other letters than ASCII (RFC 6266, RFC 8187).
    ///   - columns: The headings in order; they select the members of a row, and are written even if there are no rows.
    ///     nil for the members of the first row.
    ///   - separator: The sign between two cells.
    ///   - byteOrderMark: Whether the file begins with the mark by which Excel recognises UTF-8.
    public static func csv<Rows: AsyncSequence & Sendable>(
        _ rows: Rows, fileName: String, columns: [String]? = nil, separator: CSVSeparator = .comma,
        byteOrderMark: Bool = false
    ) -> Response where Rows.Element: Encodable & Sendable {
        let pieces = MadePieces(
            from: (
                rows: rows.makeAsyncIterator(),
                writer: CSVWriter(columns: columns, separator: separator, byteOrderMark: byteOrderMark), isAtEnd: false
            )
        ) { state in
            var piece: [UInt8] = []
            // So many bytes are worth sending.
            while !state.isAtEnd, piece.count < 16 << 10 {
                if let row = try await state.rows.next(isolation: #isolation) {
                    try state.writer.append(row, to: &piece)
                } else {
                    state.isAtEnd = true
                    state.writer.finish(&piece)
                }
            }
            return piece.isEmpty ? nil : piece
        }
        return Response(.ok, "text/csv; charset=utf-8; header=present", Body(beginning: pieces)).attachment(fileName)
    }

    /// A table of rows that are in memory, as a CSV file.
    /// - Throws: `EncodingError` for a row with a cell that is not a single value.
    public static func csv<Row: Encodable>(
        _ rows: some Sequence<Row>, fileName: String, columns: [String]? = nil, separator: CSVSeparator = .comma,
        byteOrderMark: Bool = false
    ) throws -> Response {
        var writer = CSVWriter(columns: columns, separator: separator, byteOrderMark: byteOrderMark)
        var bytes: [UInt8] = []
        for row in rows { try writer.append(row, to: &bytes) }
        writer.finish(&bytes)
        return Response(.ok, "text/csv; charset=utf-8; header=present", Body(bytes)).attachment(fileName)
    }

    /// The response as a file that the browser keeps under a name, instead of showing it (`Content-Disposition`,
    /// RFC 6266).
    ///
    ///     return try .file(report.path).attachment("Übersicht.pdf")
    ///
    /// - Parameter fileName: Any name, also one with other letters than ASCII. Slashes and control characters in it
    ///   become `_`.
    public consuming func attachment(_ fileName: String) -> Response {
        headers[.contentDisposition] = ContentDisposition.attachment(fileName)
        return self
    }
}
