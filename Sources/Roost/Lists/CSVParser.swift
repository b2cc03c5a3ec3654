/// Bytes of CSV → records (RFC 4180). A pure value: `receive` takes bytes, `next` returns the next record.
///
///     file        = [BOM] record *(line-break record) [line-break]
///     record      = field *(separator field)
///     field       = DQUOTE *(%x00-21 / %x23-FF / 2DQUOTE) DQUOTE / *TEXTDATA
///     separator   = "," / ";" / TAB        ; whichever comes first: spreadsheets write what their country is used to
///     line-break  = [CR] LF
///
/// An empty line is no record, and neither is a first line of Excel that names the separator, `sep=;`. A file without a
/// separator in its first record has one column. A ``FormulaMark`` is no part of a field's text.
struct CSVParser {
    /// The most bytes of a record, and the most fields.
    private let maximumSize: Int
    private static let maximumFields = 1000

    private enum State { case start, plain, quoted, closed, carriageReturn }

    private var bytes: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var separator: UInt8?
    private var state = State.start
    private var line = 1
    private var record = CSVRecord(line: 1, fields: [])
    private var field: [UInt8] = []
    private var size = 0
    private var isFirst = true
    /// Whether the record has a field in quotation marks: an empty one is a field.
    private var hasQuotes = false

    /// The words of the mistakes.
    private let messages: MessageTable

    init(maximumSize: Int = 64 << 10, messages: MessageTable = .english) {
        (self.maximumSize, self.messages) = (maximumSize, messages)
    }

    /// Takes bytes; none at the end of the file.
    mutating func receive(_ more: [UInt8]?) {
        bytes.removeFirst(position)
        position = 0
        if let more { bytes += more } else { isAtEnd = true }
    }

    /// The next record; nil when more bytes are needed, or after the last one.
    /// - Throws: ``CSVMistake`` for what is no CSV; nothing can be read after that.
    mutating func next() throws(CSVMistake) -> CSVRecord? {
        if isFirst, try !skipMark() { return nil }
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            size += 1
            guard size <= maximumSize else {
                throw mistake(Sentence("The line is longer than {maximum} bytes.", ["maximum": maximumSize]))
            }
            if try take(byte), let record = finishedRecord() { return record }
        }
        guard isAtEnd else { return nil }
        guard state != .quoted else { throw mistake(Sentence("A quotation mark is not closed.")) }
        if state == .start, record.fields.isEmpty { return nil }
        // The record that ends with the file.
        try endField()
        return finishedRecord()
    }

    /// Skips a byte order mark; false when it is not known yet whether there is one.
    private mutating func skipMark() throws(CSVMistake) -> Bool {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard let first = bytes.first else { return isAtEnd }
        guard bytes.count >= mark.count || isAtEnd || first < 0xEF else { return false }
        // The marks of UTF-16, as in the "Unicode text" of Excel.
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw mistake(Sentence("The table is UTF-16: save it as CSV in UTF-8."))
        }
        if bytes.starts(with: mark) { position = mark.count }
        isFirst = false
        return true
    }

    /// Takes a byte; true at the end of a record.
    private mutating func take(_ byte: UInt8) throws(CSVMistake) -> Bool {
        if byte == UInt8(ascii: "\n") { line += 1 }
        switch (state, byte) {
        case (.quoted, UInt8(ascii: "\"")): state = .closed
        case (.quoted, _): field.append(byte)
        case (.closed, UInt8(ascii: "\"")):
            field.append(byte)
            state = .quoted
        case (.start, UInt8(ascii: "\"")):
            state = .quoted
            hasQuotes = true
        case (_, UInt8(ascii: "\n")):
            try endField()
            return true
        case (.carriageReturn, _):
            throw mistake(Sentence("A line ends with a carriage return alone: end it with a line feed."))
        case (_, UInt8(ascii: "\r")): state = .carriageReturn
        case (_, _) where isSeparator(byte): try endField()
        case (.closed, _): throw mistake(Sentence("Something stands after a closing quotation mark."))
        case (_, UInt8(ascii: "\"")): throw mistake(Sentence("A quotation mark stands within a field."))
        default:
            field.append(byte)
            state = .plain
        }
        return false
    }

    private mutating func isSeparator(_ byte: UInt8) -> Bool {
        if let separator { return byte == separator }
        guard ",;\t".utf8.contains(byte) else { return false }
        separator = byte
        return true
    }

    private mutating func endField() throws(CSVMistake) {
        guard record.fields.count < Self.maximumFields else {
            throw mistake(Sentence("The line has more than {maximum} columns.", ["maximum": Self.maximumFields]))
        }
        FormulaMark.remove(from: &field, separator: separator ?? CSVSeparator.comma.rawValue)
        let text = String(validating: field, as: UTF8.self)
        record.fields.append(text ?? String(decoding: field, as: UTF8.self))
        if text == nil { record.invalid.append(record.fields.count) }
        field.removeAll(keepingCapacity: true)
        state = .start
    }

    /// The record that has ended; nil for an empty line, and for one that has only named the separator.
    private mutating func finishedRecord() -> CSVRecord? {
        let finished = record
        record = CSVRecord(line: line, fields: [])
        size = 0
        defer { hasQuotes = false }
        if finished.fields == [""], !hasQuotes { return nil }
        if finished.fields == ["sep=", ""], finished.line == 1 { return nil }
        separator = separator ?? UInt8(ascii: ",")
        return finished
    }

    private func mistake(_ sentence: Sentence) -> CSVMistake {
        CSVMistake(line: record.line, column: record.fields.count + 1, messages.text(sentence))
    }
}
