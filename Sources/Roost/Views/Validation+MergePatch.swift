// The rules of a merge patch hold for what it sets: one that leaves a member as it is breaks none.

extension Validation {
    /// Checks a text of a merge patch, which rules may change: `check("tree", &tree, .trimmed, .required)`. A member
    /// that is absent breaks no rule; `required` refuses null, too, and so a patch that would remove the value.
    public mutating func callAsFunction(
        _ field: String, _ member: inout MergePatch<String>, _ rules: TextRule...
    ) {
        observe(field, rules.map(\.limit))
        guard !member.isAbsent else { return }
        var text = member.set
        apply(rules, to: &text, field)
        if let text { member = .value(text) }
    }

    /// Checks any other value of a merge patch; an absent one breaks no rule, and `required` refuses null.
    public mutating func callAsFunction<Value>(
        _ field: String, _ member: MergePatch<Value>, _ rules: ValueRule<Value>...
    ) {
        observe(field, rules.map(\.limit))
        guard !member.isAbsent else { return }
        for rule in rules { note(field, rule.check(member.set)) }
    }
}

extension MergePatch: Validatable where Value: Validatable {
    /// Checks the value, if there is one.
    public mutating func validate(_ check: inout Validation) {
        guard var value = set else { return }
        value.validate(&check)
        self = .value(value)
    }
}

extension MergePatch {
    fileprivate var isAbsent: Bool { if case .absent = self { true } else { false } }

    /// The value to which the member is set; nil if it is absent or null.
    fileprivate var set: Value? { if case .value(let value) = self { value } else { nil } }
}
