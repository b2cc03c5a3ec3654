import FoundationEssentials

extension JSONValue {
    /// The schema of an object whose members keep rules.
    /// - Parameter rules: The rules that a value of its type has checked.
    func with(rules: [Validation.Rule], named name: (String) -> String) -> JSONValue {
        var schema = self
        for rule in rules {
            let name = name(rule.field)
            guard var properties = schema["properties"], var one = properties[name] else { continue }
            // A list that a form leaves out is empty, which is too few.
            let isRequired =
                rule.limits.contains(where: \.isRequired)
                || !one.isNullable && rule.limits.contains(where: \.wantsEntries)
            if isRequired, one.isNullable || !(schema.requires(name)) {
                one = one.withoutNull
                if !rule.mayBeAbsent {
                    let others = (schema["required"]?.elements ?? []).filter { $0.text != name }
                    schema["required"] = .array(others + [.string(name)])
                }
            }
            one.apply(rule.limits)
            properties[name] = one
            schema["properties"] = properties
        }
        return schema
    }

    /// Whether an object must have a member.
    func requires(_ name: String) -> Bool { self["required"]?.elements.contains(.string(name)) ?? false }

    private var isNullable: Bool {
        self["type"]?.elements.contains("null") ?? (self["anyOf"]?.elements.last == .ofNull)
    }

    /// The values that are allowed, with null if that is.
    private func allowed(_ values: [JSONValue]) -> JSONValue { .array(isNullable ? values + [.null] : values) }

    /// The schema without null, as ``orNull`` and the rules have added it.
    var withoutNull: JSONValue {
        if let choices = self["anyOf"]?.elements, choices.last == .ofNull, let one = choices.first { return one }
        var schema = self
        if let type = self["type"]?.elements.first { schema["type"] = type }
        if let values = self["enum"]?.elements { schema["enum"] = .array(values.filter { $0 != .null }) }
        return schema
    }

    private mutating func apply(_ limits: [RuleLimit]) {
        let isText = self["type"] == "string" || self["type"]?.elements.contains("string") ?? false
        let isTrimmed = limits.contains { if case .trimmed = $0 { true } else { false } }
        for limit in limits {
            switch limit {
            case .required, .notEmpty:
                guard isText else { continue }
                if isTrimmed { add(pattern: #"\S"#) }
                if self["minLength"] == nil { self["minLength"] = 1 }
            case .length(let lower, let upper):
                if lower > 0 { self["minLength"] = .integer(lower) }
                if let upper { self["maxLength"] = .integer(upper) }
            case .count(let lower, let upper):
                if lower > 0 { self["minItems"] = .integer(lower) }
                if let upper { self["maxItems"] = .integer(upper) }
            case .format(let name): self["format"] = .string(name)
            case .pattern(let text):
                if let text = text()?.inECMAScript { add(pattern: "^(?:\(text))$") }
            case .described(let text): add(pattern: text)
            case .values(let values):
                let numbers = values.compactMap(Self.number)
                if numbers.count == values.count { self["enum"] = allowed(numbers) }
            case .choices(let choices): self["enum"] = allowed(choices.map(\.text).sorted().map { .string($0) })
            case .range(let lower, let upper):
                if let lower = lower.flatMap(Self.number) { self["minimum"] = lower }
                if let upper = upper.flatMap(Self.number) { self["maximum"] = upper }
            case .trimmed, .other: continue
            }
        }
    }

    /// Adds a regular expression; a second one needs a schema of its own.
    private mutating func add(pattern: String) {
        if self["pattern"] == nil {
            self["pattern"] = .string(pattern)
        } else {
            self["allOf"] = .array((self["allOf"]?.elements ?? []) + [["pattern": .string(pattern)]])
        }
    }

    /// A bound as JSON has it; nil for one that it cannot have exactly.
    private static func number(_ bound: Any) -> JSONValue? {
        if let number = bound as? any BinaryInteger {
            return Int(exactly: number).map { .integer($0) } ?? Double(exactly: number).map { .number($0) }
        }
        if let number = bound as? Decimal { return Double("\(number)").map { .number($0) } }
        return (bound as? Double).map { .number($0) } ?? (bound as? Float).map { .number(Double($0)) }
    }
}

extension RuleLimit {
    fileprivate var isRequired: Bool { if case .required = self { true } else { false } }
    /// Whether an empty list breaks it.
    fileprivate var wantsEntries: Bool { if case .count(1..., _) = self { true } else { false } }
}

extension String {
    /// A regular expression of Swift in ECMA-262's syntax; nil if it has what is not known to mean the same there, such
    /// as `(?i)`, `\A`, `a++`, or a class within another.
    fileprivate var inECMAScript: String? {
        let known =
            #/
            (?: \\[dDwWsSbBnrtfu0-9^$\\.*+?()\[\]{}|\/\-] | \\[pP]\{[^}]{1,2}\}  # an escape, or a category: \p{Nd}
                | \[(?!:)  # a class
                    (?: \\[dDwWsSbBnrtfu0-9^$\\.*+?()\[\]{}|\/\-] | \\[pP]\{[^}]{1,2}\} | (?!&&|--|~~)[^\[\]\\] )* \]
                | \((?!\?[^:=!<]) | [*+?}](?!\+) | \{(?!,)  # the beginning of a group, or a quantifier
                | [^\\\[(*+?{}] )*
            /#
            .matchingSemantics(.unicodeScalar)
        guard wholeMatch(of: known) != nil else { return nil }
        // Outside a class, "\-" is no escape there.
        let parts = #/(\[(?:\\.|[^\]\\])*\]|\\[^\-])|\\-/#.matchingSemantics(.unicodeScalar)
        return replacing(parts) { $0.1 ?? "-" }
    }
}
