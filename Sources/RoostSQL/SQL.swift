import Roost

/// SQL text whose values are bound and never part of the text, so that no value can change what a statement means.
///
///     let sql: SQL = "SELECT id, name FROM users WHERE name = \(name)"
///     sql.text        // "SELECT id, name FROM users WHERE name = $1"
///     sql.bindings    // [.text("Ada")]
///
/// String interpolation makes placeholders: a value becomes `$1`, `$2`, … in the order of their appearance. A fragment,
/// which is another `SQL`, is spliced, its placeholders renumbered. What cannot be a placeholder has a label:
/// `\(identifier: column)` is quoted, `\(list: ids)` stands behind `IN`, `\(literal: "DESC")` takes text of the program
/// itself only.
public struct SQL: ExpressibleByStringInterpolation, Sendable, Hashable {
    /// The statement with its placeholders `$1`, `$2`, …
    public private(set) var text: String
    /// The values of the placeholders, in the order of their numbers.
    public private(set) var bindings: [SQLValue]
    /// Where in the text the placeholders begin, in bytes.
    private var marks: [Int]
    /// What is wrong with a value that cannot be bound; who runs the statement throws it.
    private(set) var problem: String?

    /// A statement without values.
    public init(stringLiteral text: String) {
        self.init(unchecked: text)
    }

    /// A statement of an interpolated text.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    /// A statement from elsewhere, such as a file. Whoever wrote the text decides what is done: never make it of what a
    /// client sent.
    /// - Parameter bindings: The values of `$1`, `$2`, … in the text.
    public init(unchecked text: String, bindings: [SQLValue] = []) {
        self.text = text
        self.bindings = bindings
        marks = []
    }

    /// What an interpolated text is made with; the compiler uses it.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql: SQL

        /// An empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql = SQL(unchecked: "")
            sql.text.reserveCapacity(literalCapacity + 3 * interpolationCount)
        }

        /// Text of the program itself.
        public mutating func appendLiteral(_ literal: String) { sql.text += literal }

        /// A value, which is bound.
        public mutating func appendInterpolation(_ value: some SQLConvertible) {
            do {
                sql.bind(try value.sqlValue)
            } catch {
                sql.problem = sql.problem ?? "\(error)"
                sql.bind(.null)
            }
        }

        /// A value, or `NULL`.
        public mutating func appendInterpolation(_ value: (some SQLConvertible)?) {
            if let value { appendInterpolation(value) } else { sql.bind(.null) }
        }

        /// Another statement's text and values.
        public mutating func appendInterpolation(_ fragment: SQL) { sql.append(fragment) }

        /// The name of a table or a column, in double quotes.
        public mutating func appendInterpolation(identifier: String) {
            do {
                sql.text += try SQLIdentifier(identifier).quoted
            } catch {
                sql.problem = sql.problem ?? "\(error)"
            }
        }

        /// Text of the program itself.
        public mutating func appendInterpolation(literal: StaticString) { sql.text += literal.description }

        /// Values in parentheses, as `IN` takes them. An empty list is `(NULL)`, which nothing is in, and of which
        /// nothing can be said not to be in it.
        public mutating func appendInterpolation(list: some Sequence<some SQLConvertible>) {
            var isFirst = true
            sql.text += "("
            for value in list {
                if !isFirst { sql.text += ", " }
                isFirst = false
                appendInterpolation(value)
            }
            sql.text += isFirst ? "NULL)" : ")"
        }
    }

    private mutating func bind(_ value: SQLValue) {
        bindings.append(value)
        marks.append(text.utf8.count)
        text += "$"
        text += String(bindings.count)
    }

    private mutating func append(_ fragment: SQL) {
        problem = problem ?? fragment.problem
        if fragment.marks.count < fragment.bindings.count {
            problem = problem ?? "SQL(unchecked:) with bindings cannot be part of another statement."
        }
        let source = fragment.text.utf8
        var rest = source.startIndex
        for (number, mark) in fragment.marks.enumerated() {
            let start = source.index(source.startIndex, offsetBy: mark)
            text += fragment.text[rest..<start]
            bind(fragment.bindings[number])
            rest = source.index(start, offsetBy: 1 + String(number + 1).utf8.count)
        }
        text += fragment.text[rest...]
    }
}

// Statements are the same when engines take them for the same: by the bytes of their texts.
extension SQL {
    /// Whether both have the same bytes and values.
    public static func == (left: SQL, right: SQL) -> Bool {
        ExactText(left.text) == ExactText(right.text) && left.bindings == right.bindings && left.marks == right.marks
            && left.problem == right.problem
    }

    /// Takes in the text and the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(text))
        hasher.combine(bindings)
    }
}

extension SQL: CustomStringConvertible {
    /// The text; the values may be secrets.
    public var description: String { text }
}
