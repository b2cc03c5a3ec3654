/// A check of the fields of an input by rules, which gathers all faults; see ``Validatable``.
///
/// As in HTML, an empty text or a missing value breaks no rule but `required`; an empty text that was sent also breaks
/// `notEmpty`. A field that could not be read, such as a number with letters, is not checked any further.
public struct Validation {
    private(set) var faults: [FieldFault]
    /// The JSON pointers to the fields with faults.
    private var wrong: Set<String>
    private let unreadable: Set<String>
    /// The JSON pointer to what is being checked.
    private var parent = ""
    /// Notes which rules there are, for the description of a type; nil when an input is checked.
    private var observed: ObservedRules?

    /// - Parameter faults: The faults that fields already have.
    init(_ faults: [FieldFault] = []) {
        self.faults = faults
        unreadable = faults.isEmpty ? [] : Set(faults.map(\.pointer))
        wrong = unreadable
    }

    /// The most faults that are told. An input with so many is not looked at any further.
    private static let maximumFaults = 100

    /// Whether there are as many faults as are told.
    var isFull: Bool { faults.count >= Self.maximumFaults }

    /// Whether there is no fault so far.
    var isValid: Bool { faults.isEmpty }

    /// Checks a text, which rules may change.
    /// - Parameter field: The name under which the client sends it.
    public mutating func callAsFunction(_ field: String, _ text: inout String, _ rules: TextRule...) {
        var checked: String? = text
        observed?.note(field, rules.map(\.limit))
        apply(rules, to: &checked, field)
        text = checked ?? ""
    }

    /// Checks a text that may be missing.
    public mutating func callAsFunction(_ field: String, _ text: inout String?, _ rules: TextRule...) {
        observed?.note(field, rules.map(\.limit))
        apply(rules, to: &text, field)
    }

    /// Notes which rules a text breaks. Those that follow a `length` for which it is too long do not see it: some of
    /// them would take long.
    mutating func apply(_ rules: [TextRule], to text: inout String?, _ field: String) {
        for rule in rules {
            let fault = rule.check(&text)
            note(field, fault)
            if let fault, case .length(_, let upper?) = rule.limit, fault == .longest(upper) { return }
        }
    }

    /// Checks any other value, which may be missing.
    public mutating func callAsFunction<Value>(_ field: String, _ value: Value?, _ rules: ValueRule<Value>...) {
        observed?.note(field, rules.map(\.limit))
        for rule in rules { note(field, rule.check(value)) }
    }

    /// Checks a part of the input by its own rules: `check("address", &input.address)`. Its fields are named with it,
    /// as in `/address/town`. The part may be an optional, an array or a dictionary of values that have rules.
    public mutating func callAsFunction<Part: Validatable>(_ field: String, _ part: inout Part) {
        if let observed { return observed.notePart(field) }  // its type has rules of its own
        let outer = parent
        parent += JSONPointer.step(to: field)
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

    /// Returns whether a field is known to be wrong, so that an expensive rule can skip it. After a hundred faults,
    /// every field counts as wrong: no more faults are noted.
    public func hasFault(_ field: String) -> Bool {
        isFull || wrong.contains(FieldFault(field: field, message: .required, parent: parent).pointer)
    }

    /// Begins with the faults that an error tells about an input.
    init(_ error: HTTPError) {
        self.init(error.parts.map { FieldFault(pointer: $0.pointer, $0.sentence) })
    }

    /// Notes which rules a field has that a client may leave out, whatever they say: they hold for what it sends.
    func observe(_ field: String, _ limits: @autoclosure () -> [RuleLimit]) {
        observed?.note(field, limits(), mayBeAbsent: true)
    }

    /// Notes a fault of a field, if there is one.
    mutating func note(_ field: String, _ message: Sentence?) {
        guard let message, !isFull else { return }
        let fault = FieldFault(field: field, message: message, parent: parent)
        if unreadable.isEmpty || !unreadable.contains(fault.pointer) {
            faults.append(fault)
            wrong.insert(fault.pointer)
        }
    }
}

extension Validation {
    /// Checks a value by the rules of its type, if that has some.
    mutating func apply<Value>(to value: inout Value) {
        if let type = Value.self as? any Validatable.Type { apply(to: &value, as: type) }
    }

    /// Checks a value whose type is known to have rules: in place, because casts of values to and fro cost more than
    /// most rules.
    private mutating func apply<Value, Input: Validatable>(to value: inout Value, as type: Input.Type) {
        withUnsafeMutablePointer(to: &value) { value in
            value.withMemoryRebound(to: type, capacity: 1) { $0.pointee.validate(&self) }
        }
    }

    /// The rules of one field.
    struct Rule {
        let field: String
        let limits: [RuleLimit]
        /// Whether the field may be left out even if it is required, since null alone is refused then.
        let mayBeAbsent: Bool
    }

    /// The rules that a value's type has, in the order in which it checks them, and the fields that it checks by their
    /// own rules; none if it has no rules.
    static func rules<Value>(of value: Value) -> (rules: [Rule], parts: Set<String>) {
        guard var value = value as? any Validatable else { return ([], []) }
        let observed = ObservedRules()
        var check = Validation()
        check.observed = observed
        value.validate(&check)
        return (observed.rules, observed.parts)
    }

    /// The rules that have been seen.
    private final class ObservedRules {
        private(set) var rules: [Rule] = []
        private(set) var parts: Set<String> = []

        func note(_ field: String, _ limits: [RuleLimit], mayBeAbsent: Bool = false) {
            rules.append(Rule(field: field, limits: limits, mayBeAbsent: mayBeAbsent))
        }

        func notePart(_ field: String) { parts.insert(field) }
    }
}

/// The demand of a rule, as far as it can be said to a program.
enum RuleLimit {
    case required, notEmpty, trimmed
    /// A number of characters.
    case length(Int, Int?)
    /// A number of entries of a list.
    case count(Int, Int?)
    /// A well-known form of text, by its name in JSON Schema.
    case format(String)
    /// A regular expression for the whole text; a function, because to write an expression takes time.
    case pattern(() -> String?)
    /// A regular expression that stands for a rule.
    case described(String)
    case choices(Set<ExactText>)
    case values([Any])
    /// The smallest and the largest value.
    indirect case range(Any?, Any?)
    /// Anything else.
    case other
}
