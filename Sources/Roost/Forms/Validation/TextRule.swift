/// A rule for a text; see ``Validation``.
public struct TextRule {
    /// The check of a text, which returns a message if the rule is broken, and nil otherwise. It may change the text. A
    /// text that is missing is nil.
    let check: (inout String?) -> Sentence?
    /// The demand that it makes.
    let limit: RuleLimit

    private init(_ limit: RuleLimit, _ check: @escaping (inout String?) -> Sentence?) {
        self.limit = limit
        self.check = check
    }

    /// A rule that an empty text fulfils, and a missing one.
    private init(
        _ message: @autoclosure @escaping () -> Sentence, _ limit: RuleLimit = .other,
        unless isRight: @escaping (String) -> Bool
    ) {
        self.limit = limit
        check = { text in
            guard let text, !text.isEmpty else { return nil }
            return isRight(text) ? nil : message()
        }
    }

    /// Removes white space from both ends. Place it first; no text breaks it.
    public static var trimmed: TextRule {
        TextRule(.trimmed) { text in
            text = text.map { String(Self.trimming($0)) }
            return nil
        }
    }

    /// Returns a text without the white space at both ends.
    package static func trimming(_ text: String) -> Substring {
        // By scalars, because a character can have any number of them.
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !isWhitespace($0) }),
            let last = scalars.lastIndex(where: { !isWhitespace($0) })
        else { return "" }
        return Substring(scalars[start...last])
    }

    /// Whether a scalar has Unicode's property White_Space. To look that up takes long for a megabyte of blanks, and
    /// these are all.
    package static func isWhitespace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Requires a text that is not empty.
    public static var required: TextRule { required(Sentence.required.template) }

    /// Requires a text that is not empty, with a message of your own.
    public static func required(_ message: String) -> TextRule {
        TextRule(.required) { $0?.isEmpty ?? true ? Sentence(message) : nil }
    }

    /// Refuses an empty text, but not a missing one. It is for a `String?` in a JSON body, such as one that changes
    /// only some members; an empty field of a form counts as missing.
    public static var notEmpty: TextRule {
        TextRule(.notEmpty) { $0?.isEmpty ?? false ? .required : nil }
    }

    /// Limits the number of characters, as a person counts them. A text of more than 16 bytes for each of them is too
    /// long in any case, because a character can have any number of combining marks. The rules that follow do not see a
    /// text that is too long. A text with a null character (U+0000), which PostgreSQL cannot keep, is not valid.
    public static func length(_ range: ClosedRange<Int>) -> TextRule { length(range.lowerBound, range.upperBound) }

    /// Limits the maximum number of characters: `.length(...100)`.
    public static func length(_ range: PartialRangeThrough<Int>) -> TextRule { length(0, range.upperBound) }

    /// Limits the minimum number of characters: `.length(8...)`.
    public static func length(_ range: PartialRangeFrom<Int>) -> TextRule { length(range.lowerBound, nil) }

    private static func length(_ lower: Int, _ upper: Int?) -> TextRule {
        TextRule(.length(lower, upper)) { text in
            guard let text, !text.isEmpty else { return nil }
            // Divided, because the largest numbers cannot be multiplied.
            if let upper, (text.utf8.count - 1) / 16 >= upper || text.count > upper { return .longest(upper) }
            if text.count < lower { return .shortest(lower) }
            return text.utf8.contains(0) ? .invalid : nil
        }
    }

    /// Requires that the whole text matches: `.pattern(/[A-Z]{2}[0-9]+/, "Must be like AB12.")`. Place `.length` before
    /// it: some expressions take long for long texts, which then do not reach it.
    public static func pattern(_ pattern: some RegexComponent, _ message: String? = nil) -> TextRule {
        TextRule(message.map { Sentence($0) } ?? .pattern, .pattern({ pattern.regex._literalPattern })) {
            $0.wholeMatch(of: pattern) != nil
        }
    }

    /// Requires an email address, as a browser's `<input type="email">` accepts it (WHATWG HTML §4.10.5.1.5), of at
    /// most 254 bytes (RFC 5321 §4.5.3.1.3).
    public static var email: TextRule { TextRule(.email, .format("email")) { EmailGrammar.isValid($0) } }

    /// Requires one of several texts.
    public static func oneOf(_ choices: some Sequence<String>) -> TextRule {
        let choices = Set(choices.map(ExactText.init))
        return TextRule(.choice, .choices(choices)) { choices.contains(ExactText($0)) }
    }

    /// Makes any other rule.
    /// - Parameters:
    ///   - message: The remedy, in one sentence; looked up in the application's ``MessageTable``.
    ///   - pattern: A regular expression (ECMA-262) that states the rule in an API's description; nil for none. It is
    ///     not checked.
    ///   - isRight: Returns whether a text that is not empty is valid.
    public static func custom(
        _ message: String, pattern: String? = nil, _ isRight: @escaping (String) -> Bool
    ) -> TextRule {
        custom(Sentence(message), pattern: pattern, isRight)
    }

    /// Makes any other rule, with a message that contains values, such as numbers or names.
    public static func custom(
        _ message: Sentence, pattern: String? = nil, _ isRight: @escaping (String) -> Bool
    ) -> TextRule {
        TextRule(message, pattern.map { .described($0) } ?? .other, unless: isRight)
    }
}
