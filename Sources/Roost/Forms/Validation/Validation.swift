/// A check of the fields of an input by rules, which gathers all faults; see ``Validatable``.
///
/// As in HTML, an empty text or a missing value breaks no rule but `required`; an empty text that was sent also breaks
/// `notEmpty`. A field that could not be read, such as a number with letters, is not checked any further.
public struct Validation {
    private(set) var faults: [FieldFault]
    private let unreadable: Set<String>
    /// The JSON pointer to what is being checked.
    private var parent = ""

    /// - Parameter faults: The faults that fields already have.
    init(_ faults: [FieldFault] = []) {
        self.faults = faults
        unreadable = faults.isEmpty ? [] : Set(faults.map(\.pointer))
    }

    /// Whether there is no fault so far.
    var isValid: Bool { faults.isEmpty }

    /// Checks a text, which rules may change.
    /// - Parameter field: The name under which the client sends it.
    public mutating func callAsFunction(_ field: String, _ text: inout String, _ rules: TextRule...) {
        var checked: String? = text
        for rule in rules { note(field, rule.check(&checked)) }
        text = checked ?? ""
    }

    /// Checks a text that may be missing.
    public mutating func callAsFunction(_ field: String, _ text: inout String?, _ rules: TextRule...) {
        for rule in rules { note(field, rule.check(&text)) }
    }

    /// Checks any other value, which may be missing.
    public mutating func callAsFunction<Value>(_ field: String, _ value: Value?, _ rules: ValueRule<Value>...) {
        for rule in rules { note(field, rule.check(value)) }
    }

    /// Checks a part of the input by its own rules: `check("address", &input.address)`. Its fields are named with it,
    /// as in `/address/town`. The part may be an optional, an array or a dictionary of values that have rules.
    public mutating func callAsFunction<Part: Validatable>(_ field: String, _ part: inout Part) {
        let outer = parent
        parent += HTTPError.Part.pointer(to: field)
        part.validate(&self)
        parent = outer
    }

    /// Adds a fault unless a condition holds, such as that two fields are the same.
    /// - Parameters:
    ///   - field: The field at which the message is shown.
    ///   - message: The remedy, in one sentence; looked up in the application's ``MessageTable``.
    public mutating func that(_ field: String, _ isRight: Bool, _ message: String) {
        that(field, isRight, Sentence(message))
    }

    /// Adds a fault unless a condition holds, with a message that has numbers or names in it.
    public mutating func that(_ field: String, _ isRight: Bool, _ message: Sentence) {
        if !isRight { note(field, message) }
    }

    private mutating func note(_ field: String, _ message: Sentence?) {
        guard let message else { return }
        let fault = FieldFault(field: field, message: message, parent: parent)
        if unreadable.isEmpty || !unreadable.contains(fault.pointer) { faults.append(fault) }
    }
}
