import HTTPTypes

/// A mistake in a table that a client sent, with its place.
public struct CSVMistake: Error, Sendable, Equatable, CustomStringConvertible {
    /// The number of the line on which the row begins, from 1.
    public let line: Int
    /// The number of the column, from 1; nil for the whole row.
    public var column: Int?
    /// The head of the column, or the name of one that is missing; nil for the whole row.
    public var name: String?
    /// The mistake, as one sentence for the client.
    public let message: String

    /// Creates a mistake, for instance for one that only the database knows.
    public init(line: Int, column: Int? = nil, name: String? = nil, _ message: String) {
        (self.line, self.column, self.name, self.message) = (line, column, name, message)
    }

    /// The place and the mistake: `Line 3, column 2 (seats): Must be from 1 to 100.`
    public var description: String { sentence.text }

    /// The place and the mistake, as a sentence that can be said in other languages.
    var sentence: Sentence {
        switch (column, name) {
        case (nil, nil):
            Sentence("Line {line}: {mistake}", ["line": line, "mistake": message])
        case (let column?, nil):
            Sentence("Line {line}, column {column}: {mistake}", ["line": line, "column": column, "mistake": message])
        case (nil, let name?):
            Sentence("Line {line} ({name}): {mistake}", ["line": line, "name": name, "mistake": message])
        case (let column?, let name?):
            Sentence(
                "Line {line}, column {column} ({name}): {mistake}",
                ["line": line, "column": column, "name": name, "mistake": message])
        }
    }
}

extension CSVMistake: ResponseError {
    /// 422, about the cell: `/3/seats`.
    public var httpError: HTTPError? { [self].httpError(field: nil) }
}

extension [CSVMistake] {
    /// The most mistakes that are told to a client.
    static var maximumTold: Int { 100 }

    /// Returns an error with 422 that lists the mistakes, at most 100 of them.
    /// - Parameter field: The form's field for the file, at which all of them are shown; nil if the file is the whole
    ///   body: then the pointers name line and column, such as `/3/seats`.
    public func httpError(field: String?) -> HTTPError {
        let parts = prefix(Self.maximumTold).map { mistake in
            let pointer = JSONPointer.step(to: field ?? "\(mistake.line)")
            let column = field == nil ? mistake.name.map(JSONPointer.step) ?? "" : ""
            let isLong = pointer.utf8.count + column.utf8.count > 1000
            return HTTPError.Part(isLong ? "/\(mistake.line)" : pointer + column, mistake.sentence)
        }
        return HTTPError(.unprocessableContent, nil, parts: Array<HTTPError.Part>(parts))
    }
}
