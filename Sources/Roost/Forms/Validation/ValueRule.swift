import FoundationEssentials

/// A rule for a value that is not a text: a number, a date, a list, a file; see ``Validation``.
public struct ValueRule<Value> {
    /// The check of a value, which returns a message if the rule is broken, and nil otherwise. A missing value is nil.
    let check: (Value?) -> Sentence?
    /// The demand that it makes, for those who describe it.
    private var isRequired = false
    private var lower: Value?
    private var upper: Value?
    private var choices: [Value] = []
    /// The smallest and the largest number of entries of a list.
    private var entries: (Int, Int?)?

    var limit: RuleLimit {
        if isRequired { return .required }
        if let entries { return .count(entries.0, entries.1) }
        if !choices.isEmpty { return .values(choices.map(Self.described)) }
        return lower == nil && upper == nil ? .other : .range(lower.map(Self.described), upper.map(Self.described))
    }

    /// A value as JSON has it.
    private static func described(_ value: Value) -> Any { (value as? LocalNumber).map { $0.value as Any } ?? value }

    private init(_ lower: Value? = nil, _ upper: Value? = nil, _ check: @escaping (Value?) -> Sentence?) {
        self.check = check
        self.lower = lower
        self.upper = upper
    }

    /// Requires a value. An empty text is none.
    public static var required: ValueRule { required(Sentence.required.template) }

    /// Requires a value, with a message of your own. An empty text is none.
    public static func required(_ message: String) -> ValueRule {
        var rule = ValueRule { value in
            // A text that comes without `&`, so that no rule may change it.
            let isEmpty = (value as? String)?.isEmpty ?? false
            return value == nil || isEmpty ? Sentence(message) : nil
        }
        rule.isRequired = true
        return rule
    }

    /// Makes any other rule.
    /// - Parameters:
    ///   - message: The remedy, in one sentence; looked up in the application's ``MessageTable``.
    ///   - isRight: Whether a value is right.
    public static func custom(_ message: String, _ isRight: @escaping (Value) -> Bool) -> ValueRule {
        custom(Sentence(message), isRight)
    }

    /// Makes any other rule, with a message that has numbers or names in it.
    public static func custom(_ message: Sentence, _ isRight: @escaping (Value) -> Bool) -> ValueRule {
        ValueRule { $0.map(isRight) ?? true ? nil : message }
    }
}

extension ValueRule where Value: Equatable {
    /// Requires one of several values.
    public static func oneOf(_ choices: [Value]) -> ValueRule {
        var rule = ValueRule { $0.map(choices.contains) ?? true ? nil : .choice }
        rule.choices = choices
        return rule
    }
}

extension ValueRule where Value: Collection & ExpressibleByArrayLiteral {
    /// Limits the number of entries of a list.
    public static func count(_ range: ClosedRange<Int>) -> ValueRule { count(range.lowerBound, range.upperBound) }

    /// Limits the maximum number of entries: `.count(...5)`.
    public static func count(_ range: PartialRangeThrough<Int>) -> ValueRule { count(0, range.upperBound) }

    /// Limits the minimum number of entries: `.count(1...)`. A list that a form or a query leaves out is empty.
    public static func count(_ range: PartialRangeFrom<Int>) -> ValueRule { count(range.lowerBound, nil) }

    private static func count(_ lower: Int, _ upper: Int?) -> ValueRule {
        var rule = ValueRule { value in
            guard let value else { return nil }
            if let upper, value.count > upper { return .mostEntries(upper) }
            return value.count < lower ? .fewestEntries(lower) : nil
        }
        rule.entries = (lower, upper)
        return rule
    }
}

extension ValueRule where Value: Comparable {
    /// Limits a value to a range.
    public static func range(_ range: ClosedRange<Value>) -> ValueRule {
        ValueRule(range.lowerBound, range.upperBound) { value in
            value.map(range.contains) ?? true
                ? nil : .range(from: shown(range.lowerBound), to: shown(range.upperBound))
        }
    }

    /// Limits the minimum value: `.range(18...)`.
    public static func range(_ range: PartialRangeFrom<Value>) -> ValueRule {
        ValueRule(range.lowerBound, nil) {
            $0.map(range.contains) ?? true ? nil : .minimum(shown(range.lowerBound))
        }
    }

    /// Limits the maximum value: `.range(...12)`.
    public static func range(_ range: PartialRangeThrough<Value>) -> ValueRule {
        ValueRule(nil, range.upperBound) {
            $0.map(range.contains) ?? true ? nil : .maximum(shown(range.upperBound))
        }
    }

    /// A bound as a sentence shows it: a whole number without decimals, whatever its type is.
    private static func shown(_ value: Value) -> Sentence.Bound {
        if let number = value as? LocalNumber { return number }
        if let time = (value as? Date).flatMap(DateTime.text) { return time }
        let text = "\(value)"
        return value is any BinaryFloatingPoint && text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
