/// A sentence about a field: a template with names in braces, and what they stand for. The template is also the key
/// under which a ``MessageTable`` has it in another language.
struct FieldMessage: Equatable {
    let template: String
    var values: [String: String] = [:]

    init(_ template: String, _ values: [String: String] = [:]) {
        self.template = template
        self.values = values
    }

    static let required = FieldMessage("Must not be empty.")
    static let boolean = FieldMessage("Must be yes or no.")
    static let integer = FieldMessage("Must be a whole number.")
    static let number = FieldMessage("Must be a number.")
    static let date = FieldMessage("Must be a date like 2026-01-31 or 2026-01-31T12:00:00Z.")
    static let file = FieldMessage("Must be a file.")
    static let choice = FieldMessage("Is not one of the choices.")
    static let invalid = FieldMessage("Is not valid.")
    static let email = FieldMessage("Must be an email address like name@example.com.")
    static let pattern = FieldMessage("Is not in the right form.")

    static func range(from lower: String, to upper: String) -> FieldMessage {
        FieldMessage("Must be from {minimum} to {maximum}.", ["minimum": lower, "maximum": upper])
    }

    static func minimum(_ lower: String) -> FieldMessage {
        FieldMessage("Must be at least {minimum}.", ["minimum": lower])
    }

    static func maximum(_ upper: String) -> FieldMessage {
        FieldMessage("Must be at most {maximum}.", ["maximum": upper])
    }

    static func shortest(_ count: Int) -> FieldMessage {
        FieldMessage("Must have at least {minimum} characters.", ["minimum": "\(count)"])
    }

    static func longest(_ count: Int) -> FieldMessage {
        FieldMessage("Must have at most {maximum} characters.", ["maximum": "\(count)"])
    }

    static func largest(_ bytes: Int) -> FieldMessage {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
        let unit = units.first { bytes >= $0.0 && bytes % $0.0 == 0 } ?? (1, "bytes")
        return FieldMessage("Must be no larger than {maximum}.", ["maximum": "\(bytes / unit.0) \(unit.1)"])
    }

    /// One of each, for the list of what a table can replace.
    static let all: [FieldMessage] = [
        required, boolean, integer, number, date, file, choice, invalid, email, pattern, range(from: "", to: ""),
        minimum(""), maximum(""), shortest(0), longest(0), largest(0),
    ]
}
