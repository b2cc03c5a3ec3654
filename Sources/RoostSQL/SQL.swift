import Roost

/// An SQL statement whose values are bound and never part of its text, so no value can change what it means.
///
///     let sql: SQL = "SELECT id, name FROM users WHERE name = \(name)"
///     sql.text        // "SELECT id, name FROM users WHERE name = $1"
///     sql.bindings    // [.text("Ada")]
///
/// String interpolation makes placeholders: values become `$1`, `$2` and so on, in order. A fragment, which is another
/// `SQL`, is inserted as text and its placeholders are renumbered. Anything that cannot be a placeholder needs a label:
/// `\(identifier: column)` is quoted, `\(list: ids)` follows `IN`, and `\(literal: "DESC")` accepts only text from the
/// program itself.
public struct SQL: ExpressibleByStringInterpolation, Sendable, Hashable {
    /// The statement with its placeholders `$1`, `$2`, …
    public private(set) var text: String
    /// The values of the placeholders, in the order of their numbers.
    public private(set) var bindings: [SQLValue]
    /// The places in the text, in bytes, at which the placeholders begin.
    private var marks: [Int] = []
    /// The first problem with a value that cannot be bound, or a fragment that cannot be inserted; thrown as
    /// ``DatabaseError/invalidValue(_:)`` when the statement is run.
    private(set) var problem: String?

    /// Creates a statement without values.
    public init(stringLiteral text: String) {
        self.init(unchecked: text)
    }

    /// Creates a statement from an interpolated string.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    /// Creates a statement from text that comes from elsewhere, such as a file. The text is run as it is: never build
    /// it from anything that a client sent.
    /// - Parameter bindings: The values of `$1`, `$2`, … in the text.
    public init(unchecked text: String, bindings: [SQLValue] = []) {
        self.text = text
        self.bindings = bindings
    }

    /// The parts of an interpolated statement; used by the compiler.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: SQL

        /// Creates an empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql = SQL(unchecked: "")
            // Room for placeholders, or for fragments such as a few columns; a single one gets it with its text.
            if interpolationCount > 1 { sql.text.reserveCapacity(literalCapacity + 24 * interpolationCount) }
        }

        /// Appends text from the program itself.
        public mutating func appendLiteral(_ literal: String) { sql.text += literal }

        /// Appends a placeholder, and binds the value.
        public mutating func appendInterpolation(_ value: some SQLConvertible) {
            do {
                sql.bind(try value.sqlValue)
            } catch {
                sql.problem = sql.problem ?? "\(error)"
                sql.bind(.null)
            }
        }

        /// Appends a placeholder, and binds a number.
        public mutating func appendInterpolation(_ value: Int) { sql.bind(.integer(Int64(value))) }

        /// Appends a placeholder, and binds a text.
        public mutating func appendInterpolation(_ value: String) { sql.bind(.text(value)) }

        /// Appends a placeholder, and binds the value or `NULL`.
        public mutating func appendInterpolation(_ value: (some SQLConvertible)?) {
            if let value { appendInterpolation(value) } else { sql.bind(.null) }
        }

        /// Inserts another statement's text and values.
        public mutating func appendInterpolation(_ fragment: SQL) { sql.append(fragment) }

        /// Appends the name of a table or a column, in double quotes.
        public mutating func appendInterpolation(identifier: String) {
            do {
                sql.text += try SQLIdentifier(identifier).quoted
            } catch {
                sql.problem = sql.problem ?? "\(error)"
            }
        }

        /// Appends text from the program itself.
        public mutating func appendInterpolation(literal: StaticString) { sql.text += literal.description }

        /// Appends a pattern for `LIKE` or `ILIKE` that finds a text anywhere in another, and matches its `%` and `_`
        /// literally:
        ///
        ///     "SELECT id FROM users WHERE name LIKE \(containing: search)"
        public mutating func appendInterpolation(containing text: String) {
            let special = [UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "\\")]
            let escaped = text.utf8.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
            sql.bind(.text("%" + String(decoding: escaped, as: UTF8.self) + "%"))
            sql.text += #" ESCAPE '\'"#
        }

        /// Appends values in parentheses, as `IN` takes them:
        ///
        ///     "SELECT id FROM users WHERE id IN \(list: ids)"
        ///
        /// With an empty list, `IN` matches no row and `NOT IN` every row: the list is written as `(NULL)`, or right
        /// after `NOT IN` as `(NULL) IS NULL`. But `NOT (id IN \(list: ids))` then matches no row either.
        public mutating func appendInterpolation(list: some Sequence<some SQLConvertible>) {
            var isFirst = true
            sql.text += "("
            for value in list {
                if !isFirst { sql.text += ", " }
                isFirst = false
                appendInterpolation(value)
            }
            guard isFirst else { return sql.text += ")" }
            sql.text += sql.endsWithNotIn ? "NULL) IS NULL" : "NULL)"
        }
    }

    /// Joins fragments, such as conditions or columns known only at run time:
    ///
    ///     let conditions: [SQL] = ["age >= \(age)", "name LIKE \(pattern)"]
    ///     let sql: SQL = "SELECT id FROM users WHERE \(SQL.joined(conditions, by: " AND "))"
    ///
    /// - Parameter separator: The text between two fragments, with the blanks around it.
    /// - Returns: An empty fragment if there are none.
    public static func joined(_ fragments: some Sequence<SQL>, by separator: SQL = ", ") -> SQL {
        var result = SQL(unchecked: "")
        var isFirst = true
        for fragment in fragments {
            if !isFirst { result.append(separator) }
            isFirst = false
            result.append(fragment)
        }
        return result
    }

    /// Joins conditions that must all hold, for `WHERE`; `TRUE` if there are none. Nil conditions are left out, such as
    /// filters that a client did not set.
    ///
    ///     let filters = SQL.all([filter.room.map { "room = \($0)" }, filter.from.map { "ends > \($0)" }])
    public static func all(_ conditions: [SQL?]) -> SQL {
        let given = conditions.compactMap { $0 }
        return given.isEmpty ? "TRUE" : joined(given.map { "(\($0))" }, by: " AND ")
    }

    private mutating func bind(_ value: SQLValue) {
        bindings.append(value)
        marks.append(text.utf8.count)
        text += bindings.count <= Self.placeholders.count ? Self.placeholders[bindings.count - 1] : "$\(bindings.count)"
    }

    /// Whether the text ends with `NOT IN` and one parenthesis.
    private var endsWithNotIn: Bool {
        let words = text.utf8.dropLast().split { $0 <= 0x20 || $0 == UInt8(ascii: ")") }
        return words.suffix(2).map { String(decoding: $0, as: UTF8.self).uppercased() } == ["NOT", "IN"]
    }

    /// The placeholders of most statements, so that no text has to be made for them.
    private static let placeholders = (1...16).map { "$\($0)" }

    private mutating func append(_ fragment: SQL) {
        problem = problem ?? fragment.problem
        if fragment.marks.count < fragment.bindings.count {
            problem = problem ?? "SQL(unchecked:) with bindings cannot be part of another statement."
        }
        if fragment.bindings.isEmpty { return text += fragment.text }
        if bindings.isEmpty { return appendUnchanged(fragment) }
        let source = fragment.text.utf8
        var rest = source.startIndex
        for number in 0..<fragment.marks.count {
            let start = source.index(source.startIndex, offsetBy: fragment.marks[number])
            text += fragment.text[rest..<start]
            bind(fragment.bindings[number])
            rest = source.index(start, offsetBy: 1 + String(number + 1).utf8.count)
        }
        text += fragment.text[rest...]
    }

    /// Appends a fragment whose placeholders keep their numbers, since there are no others.
    private mutating func appendUnchanged(_ fragment: SQL) {
        for number in 0..<fragment.marks.count { marks.append(text.utf8.count + fragment.marks[number]) }
        text += fragment.text
        bindings += fragment.bindings
    }
}

extension SQL {
    /// The text with `?` for each placeholder; nil unless each value has one, in order, and the text has no other `?`.
    package var unnumberedText: String? {
        let source = Array(text.utf8)
        let mark = UInt8(ascii: "?")
        guard marks.count == bindings.count, !source.contains(mark) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var rest = 0
        for (index, place) in marks.enumerated() {
            bytes += source[rest..<place]
            bytes.append(mark)
            rest = place + 1 + String(index + 1).utf8.count
        }
        bytes += source[rest...]
        return String(decoding: bytes, as: UTF8.self)
    }
}

// Statements are equal when engines treat them as equal: by the bytes of their texts.
extension SQL {
    /// Whether both have the same text, compared by bytes, and the same values.
    public static func == (left: SQL, right: SQL) -> Bool {
        ExactText(left.text) == ExactText(right.text) && left.bindings == right.bindings && left.marks == right.marks
            && left.problem == right.problem
    }

    /// Hashes the text and the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(text))
        hasher.combine(bindings)
    }
}

extension SQL: CustomStringConvertible {
    /// The text; without the values, which may be secrets.
    public var description: String { text }
}

/// The name of a table, a column or a channel as SQL quotes it: inside `"`, with each `"` in it doubled.
///
///     try SQLIdentifier("odd \" name").quoted     // "odd "" name"
///
/// It works on bytes, as engines do. To Swift, a quotation mark followed by a combining mark, or preceded by U+0600, is
/// a different `Character`; to an engine it would end the name.
package struct SQLIdentifier: Sendable {
    /// The name in quotes.
    package let quoted: String

    /// Quotes a name, which may contain anything but NUL.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` for a name that contains NUL, where C's strings end.
    package init(_ name: String) throws(DatabaseError) {
        guard !name.utf8.contains(0) else { throw .invalidValue("An identifier contains a NUL character.") }
        let quote = UInt8(ascii: "\"")
        let bytes = name.utf8.reduce(into: [quote]) { bytes, byte in
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        quoted = String(decoding: bytes + [quote], as: UTF8.self)
    }
}
