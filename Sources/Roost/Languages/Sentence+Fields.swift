/// Roost's own messages about fields and forms.
extension Sentence {
    /// A bound of a value: a text, or a ``LocalNumber``.
    typealias Bound = any CustomStringConvertible & Sendable

    static let required = Sentence("Must not be empty.")
    static let boolean = Sentence("Must be true or false.")
    static let integer = Sentence("Must be a whole number.")
    static let number = Sentence("Must be a number.")
    static let date = Sentence("Must be a date like 2026-01-31 or 2026-01-31T12:00:00Z.")
    static let day = Sentence(LocalDate.mistake)
    static let localTime = Sentence(LocalDateTime.mistake)
    static let file = Sentence("Must be a file.")
    static let noFile = Sentence("Must be a text, not a file.")
    static let choice = Sentence("Is not one of the choices.")
    static let invalid = Sentence("Is not valid.")
    static let unknown = Sentence("Is not known here.")
    static let email = Sentence("Must be an email address like name@example.com.")
    static let pattern = Sentence("Is not in the right form.")
    static let tooManyMarks = Sentence("Has too many combining marks in a row.")

    static func range(from lower: Bound, to upper: Bound) -> Sentence {
        Sentence("Must be from {minimum} to {maximum}.", ["minimum": lower, "maximum": upper])
    }

    static func minimum(_ lower: Bound) -> Sentence {
        Sentence("Must be at least {minimum}.", ["minimum": lower])
    }

    static func maximum(_ upper: Bound) -> Sentence {
        Sentence("Must be at most {maximum}.", ["maximum": upper])
    }

    static func shortest(_ count: Int) -> Sentence {
        Sentence("Must have at least {minimum} characters.", ["minimum": count])
    }

    static func longest(_ count: Int) -> Sentence {
        Sentence("Must have at most {maximum} characters.", ["maximum": count])
    }

    static func fewestEntries(_ count: Int) -> Sentence {
        Sentence("Must have at least {minimum} entries.", ["minimum": count])
    }

    static func mostEntries(_ count: Int) -> Sentence {
        Sentence("Must have at most {maximum} entries.", ["maximum": count])
    }

    static func largest(_ bytes: Int) -> Sentence {
        Sentence("Must be no larger than {maximum}.", ["maximum": size(bytes)])
    }

    static func mostFields(_ count: Int) -> Sentence {
        Sentence("The form has more than the {maximum} fields allowed here.", ["maximum": count])
    }

    static func mostParts(_ count: Int) -> Sentence {
        Sentence("The form has more than the {maximum} parts allowed here.", ["maximum": count])
    }

    static func mostFiles(_ count: Int) -> Sentence {
        Sentence("The form has more than the {maximum} files allowed here.", ["maximum": count])
    }

    static func mostText(_ bytes: Int) -> Sentence {
        Sentence("The form's texts are larger than the {maximum} allowed here.", ["maximum": size(bytes)])
    }

    static func longestFileName(_ bytes: Int) -> Sentence {
        Sentence("The name of a file has more than the {maximum} bytes allowed here.", ["maximum": bytes])
    }

    /// One of each, for the list of what a table can replace.
    static let all: [Sentence] = [
        required, boolean, integer, number, date, day, localTime, file, noFile, choice, invalid, unknown, email,
        pattern, tooManyMarks, range(from: "", to: ""),
        minimum(""), maximum(""), shortest(0), longest(0), fewestEntries(0), mostEntries(0), largest(0), mostFields(0),
        mostParts(0), mostFiles(0), mostText(0), longestFileName(0), LocalNumber.mistake(in: .english), .largestBody(0),
        .tooManyRequests(seconds: 0), .tooManySignIns(seconds: 0),
    ]
}
