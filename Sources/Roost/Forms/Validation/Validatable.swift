import HTTPTypes

/// An input type with rules, which every `request.decode` checks:
///
///     struct NestInput: Decodable, Validatable {
///         var tree: String
///         var eggs: Int?
///         var email: String
///         var again: String
///
///         mutating func validate(_ check: inout Validation) {
///             check("tree", &tree, .trimmed, .required, .length(...40))
///             check("eggs", eggs, .range(0...12))
///             check("email", &email, .trimmed, .required, .email)
///             check.that("again", again == email, "The addresses differ.")
///         }
///     }
///
/// Input that breaks rules is an ``HTTPError`` with 422, which names every field and everything that is wrong with it.
/// Such a type is not the model, so a client can set only the properties that it names. The rules also apply to an
/// optional, an array or a dictionary of such values.
public protocol Validatable {
    /// Checks the fields, and may change them: a trimmed text stays trimmed.
    mutating func validate(_ check: inout Validation)
}

extension Validatable {
    /// Returns the value, checked and perhaps changed by its rules. It is for a value that `request.decode` has not
    /// read, such as a line of a file or a message of a queue. A coder's own `decode` checks no rules.
    ///
    ///     let nest = try JSONCoder().decode(NestInput.self, from: line).checked()
    /// - Parameter messages: The language of the messages: ``Request/messages``.
    /// - Throws: ``HTTPError`` with 422, which names every field that breaks a rule.
    public func checked(in messages: MessageTable = .english) throws(HTTPError) -> Self {
        var (value, check) = (self, Validation())
        value.validate(&check)
        guard check.isValid else { throw HTTPError(.unprocessableContent, check.faults, messages) }
        return value
    }
}

extension Optional: Validatable where Wrapped: Validatable {
    /// Checks the value, if there is one.
    public mutating func validate(_ check: inout Validation) {
        guard var value = self else { return }
        value.validate(&check)
        self = value
    }
}

extension Array: Validatable where Element: Validatable {
    /// Checks each element, by its number: `/eggs/0/color`.
    public mutating func validate(_ check: inout Validation) {
        for index in indices where !check.isFull { check("\(index)", &self[index]) }
    }
}

extension Dictionary: Validatable where Value: Validatable {
    /// Checks each value, by its key: `/nests/oak/eggs`.
    public mutating func validate(_ check: inout Validation) {
        for index in indices where !check.isFull {
            let key = self[index].key
            let name = (key as? any CodingKeyRepresentable)?.codingKey.stringValue ?? "\(key)"
            check(name, &values[index])
        }
    }
}
