/// Checks the fields of an input by rules, and gathers what is wrong; see ``Validatable``.
///
/// As in HTML, an empty text or a missing value breaks no rule but `required`. A field that could not be read, such as
/// a number with letters, is not checked as well.
public struct Validation {
    private(set) var faults: [FieldFault]
    private let unreadable: Set<String>

    /// - Parameter faults: What was wrong with fields before.
    init(_ faults: [FieldFault] = []) {
        self.faults = faults
        unreadable = Set(faults.compactMap(\.field))
    }

    /// Whether nothing was wrong so far.
    public var isValid: Bool { faults.isEmpty }

    /// Checks a text, which rules may change.
    /// - Parameter field: The name under which the client sends it.
    public mutating func callAsFunction(_ field: String, _ text: inout String, _ rules: TextRule...) {
        for rule in rules { note(field, rule.check(&text)) }
    }

    /// Checks a text that may be missing.
    public mutating func callAsFunction(_ field: String, _ text: inout String?, _ rules: TextRule...) {
        var checked = text ?? ""
        for rule in rules { note(field, rule.check(&checked)) }
        if text != nil { text = checked }
    }

    /// Checks any other value, which may be missing.
    public mutating func callAsFunction<Value>(_ field: String, _ value: Value?, _ rules: ValueRule<Value>...) {
        for rule in rules { note(field, rule.check(value)) }
    }

    /// States what must hold, such as that two fields are the same.
    /// - Parameters:
    ///   - field: The field at which the message is shown.
    ///   - message: What to do about it, in one sentence; looked up in the application's ``MessageTable``.
    public mutating func that(_ field: String, _ isRight: Bool, _ message: String) {
        if !isRight { note(field, FieldMessage(message)) }
    }

    private mutating func note(_ field: String, _ message: FieldMessage?) {
        guard let message, !unreadable.contains(field) else { return }
        faults.append(FieldFault(field: field, message: message))
    }
}
