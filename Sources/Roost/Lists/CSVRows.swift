/// The rows of a table that a client sends as CSV (RFC 4180), read as they come.
///
///     routes.post(Path("/rooms.csv"), body: .streamed) { request in
///         let rooms = try await CSVRows(RoomInput.self, from: request.body).all()
///         …
///     }
///
/// The first line has the names of the columns, in any order; those that the type does not have are left out. A row is
/// read like the fields of a form, and follows the rules of a ``Validatable`` type. The separator is `,`, `;` or TAB,
/// whichever comes first, or the one that a first line names, `sep=;`. A `'` that keeps a spreadsheet from reading a
/// text as a formula is left out: one before `=`, `+`, `-` or `@` where these begin the text or follow a line break,
/// TAB or `;`, and one before a TAB or line break that begins it.
public struct CSVRows<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    private let source: Body
    private let messages: MessageTable
    private let maximumSize, maximumRowSize: Int

    /// Reads rows from the body of a request. A route for large tables should have a streamed body.
    /// - Parameters:
    ///   - messages: The language in which mistakes are reported, and a ``LocalNumber`` is read: ``Request/messages``.
    ///   - maximumSize: The most bytes of the table.
    ///   - maximumRowSize: The most bytes of a row.
    public init(
        _ type: Value.Type = Value.self, from body: Body, messages: MessageTable = .english,
        maximumSize: Int = 10 << 20, maximumRowSize: Int = 64 << 10
    ) {
        (source, self.messages) = (body, messages)
        (self.maximumSize, self.maximumRowSize) = (maximumSize, maximumRowSize)
    }

    /// Reads rows from a file that came with a form.
    public init(
        _ type: Value.Type = Value.self, from file: UploadedFile, messages: MessageTable = .english,
        maximumRowSize: Int = 64 << 10
    ) {
        let pieces = MadePieces(from: 0) { position in
            let piece = try await file.bytes(in: position..<(position + 64 << 10))
            position += piece.count
            return piece.isEmpty ? nil : piece
        }
        self.init(
            from: Body(stream: pieces), messages: messages, maximumSize: .max, maximumRowSize: maximumRowSize)
    }

    /// Starts at the first row.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            pieces: source.makeAsyncIterator(), left: maximumSize,
            parser: CSVParser(maximumSize: maximumRowSize, messages: messages), messages: messages)
    }

    /// Reads all rows.
    /// - Parameters:
    ///   - limit: The most rows, those with mistakes included.
    ///   - field: The field of the form that had the file, at which the mistakes are shown.
    /// - Throws: ``HTTPError`` with 422 that tells all mistakes, each with its line and column, and with 413 for more
    ///   rows; after a hundred mistakes no more rows are read. An error of the source.
    public func all(upTo limit: Int = 10_000, field: String? = nil) async throws -> [Value] {
        var (values, mistakes, count) = ([Value](), [CSVMistake](), 0)
        do {
            for try await row in self {
                count += 1
                guard count <= limit else {
                    throw HTTPError(.contentTooLarge, Sentence("There are more than {limit} rows.", ["limit": limit]))
                }
                if let value = row.value { values.append(value) }
                mistakes += row.mistakes
                if mistakes.count >= [CSVMistake].maximumTold { break }
            }
        } catch let mistake as CSVMistake {
            mistakes.append(mistake)
        }
        guard mistakes.isEmpty else { throw mistakes.httpError(field: field) }
        return values
    }

    /// A position in the rows.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pieces: Body.AsyncIterator
        fileprivate var parser: CSVParser
        fileprivate let messages: MessageTable
        private var heads: [String]?
        private var headLine = 1
        private var isAtEnd = false

        /// The number of bytes that may still come.
        private var left: Int
        private let maximumSize: Int

        fileprivate init(pieces: Body.AsyncIterator, left: Int, parser: CSVParser, messages: MessageTable) {
            (self.pieces, self.left, self.parser, self.messages) = (pieces, left, parser, messages)
            maximumSize = left
        }

        /// The next row; nil after the last.
        /// - Throws: ``CSVMistake`` for what is not CSV, for empty or repeated headings, and for a missing column;
        ///   nothing is read after that. ``HTTPError`` with 413 for too many bytes; an error of the source.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> CSVRow<Value>? {
            while true {
                if let record = try parser.next() {
                    guard let heads else {
                        try read(heads: record)
                        continue
                    }
                    return try row(record, heads)
                }
                if isAtEnd { return nil }
                let piece = try await pieces.next(isolation: actor)
                isAtEnd = piece == nil
                left -= piece?.count ?? 0
                guard left >= 0 else { throw HTTPError.contentTooLarge(maximumSize) }
                parser.receive(piece)
            }
        }

        private mutating func read(heads record: CSVRecord) throws(CSVMistake) {
            if let index = record.fields.firstIndex(of: "") {
                throw mistake(record, index + 1, Sentence("The head is empty."))
            }
            var seen: Set<ExactText> = []
            for (index, name) in record.fields.enumerated() where !seen.insert(ExactText(name)).inserted {
                throw mistake(record, index + 1, name: name, Sentence("The head comes twice."))
            }
            if let column = record.invalid.first {
                throw mistake(record, column, Sentence("The head is not UTF-8."))
            }
            (heads, headLine) = (record.fields, record.line)
        }

        private func row(_ record: CSVRecord, _ heads: [String]) throws -> CSVRow<Value> {
            let line = record.line
            var mistakes = record.invalid.map { mistake(record, $0, Sentence("The text is not UTF-8.")) }
            if record.fields.count != heads.count {
                let counts = Sentence(
                    "The line has {count} columns, and the first line has {heads}.",
                    ["count": record.fields.count, "heads": heads.count])
                mistakes.append(mistake(record, nil, counts))
            }
            guard mistakes.isEmpty else { return CSVRow(line: line, value: nil, mistakes: mistakes) }
            let form = Form(Array(zip(heads, record.fields)))
            let read = try FormDecoder.read(Value.self, from: FormFields(form), in: messages)
            // A column that the type itself wants is missing in each row; a rule may want it in some.
            if let fault = read.faults.first(where: { isMissingColumn($0, heads) }) {
                let missing = messages.text(Sentence("The column is missing."))
                throw CSVMistake(line: headLine, name: fault.field, missing)
            }
            var (value, check) = (read.value, Validation(read.faults))
            check.apply(to: &value)
            mistakes = check.faults.map { mistake($0, line, heads) }
            return CSVRow(line: line, value: mistakes.isEmpty ? value : nil, mistakes: mistakes)
        }

        private func mistake(
            _ record: CSVRecord, _ column: Int?, name: String? = nil, _ sentence: Sentence
        ) -> CSVMistake {
            CSVMistake(line: record.line, column: column, name: name, messages.text(sentence))
        }

        private func mistake(_ fault: FieldFault, _ line: Int, _ heads: [String]) -> CSVMistake {
            CSVMistake(
                line: line, column: fault.field.flatMap { column($0, heads) }, name: fault.field,
                messages.text(fault.message))
        }

        private func isMissingColumn(_ fault: FieldFault, _ heads: [String]) -> Bool {
            guard let name = fault.field, fault.message == .required else { return false }
            return column(name, heads) == nil
        }

        /// The number of a column, from 1; nil without one.
        private func column(_ name: String, _ heads: [String]) -> Int? {
            heads.firstIndex { ExactText($0) == ExactText(name) }.map { $0 + 1 }
        }
    }
}

/// A row of a table that a client sent.
public struct CSVRow<Value: Sendable>: Sendable {
    /// The number of the line on which it begins, from 1.
    public let line: Int
    /// The row; nil when it has mistakes.
    public let value: Value?
    /// The mistakes in it.
    public let mistakes: [CSVMistake]
}

/// A line of a table as it was sent: its fields, which may have line breaks themselves.
struct CSVRecord: Equatable {
    /// The number of the line on which it begins, from 1.
    let line: Int
    var fields: [String]
    /// The numbers of the fields that are not UTF-8, from 1.
    var invalid: [Int] = []
}
