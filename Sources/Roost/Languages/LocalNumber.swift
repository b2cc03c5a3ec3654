/// A number as people type and read it in their language: `1.234,50` in a German form, `1,234.50` in an English one.
///
///     struct RoomInput: Decodable, Validatable {
///         var price: LocalNumber
///
///         func validate(_ check: inout Validation) { check("price", price, .range(0...10_000)) }
///     }
///
/// A form's field is read with the decimal sign and the digit groups of the request's language (``Request/messages``);
/// any other text is refused, with an example. In JSON it is an ordinary number. A `Double` in a form is what an
/// `<input type="number">` sends, `1234.5`, in all languages.
public struct LocalNumber: Sendable, Hashable {
    /// The number.
    public let value: Double

    /// Creates a number from its value.
    public init(_ value: Double) { self.value = value }

    /// Reads a number as people of a language type it; nil for any other text.
    public init?(_ text: String, in messages: MessageTable) {
        guard let value = messages.format.decimalText(of: text).flatMap({ Double($0) }), value.isFinite else {
            return nil
        }
        self.value = value
    }

    /// The number in hundredths, such as the cents of a price, rounded; nil for one that is too large for that.
    public var hundredths: Int? { Int(exactly: (value * 100).rounded()) }

    /// A number for an example, which has both signs.
    private static let example = 1234.5

    /// The message about a text that is no number in a language.
    static func mistake(in messages: MessageTable) -> Sentence {
        Sentence("Must be a number like {example}.", ["example": messages.number(example)])
    }
}

extension LocalNumber: Substitutable {
    static let placeholder = LocalNumber(0)
}

extension LocalNumber: Comparable, CustomStringConvertible {
    /// Whether the first is the smaller one.
    public static func < (one: LocalNumber, other: LocalNumber) -> Bool { one.value < other.value }

    /// The number as JSON writes it: `1234.5`, or `12` for a whole one.
    public var description: String { Int(exactly: value).map { "\($0)" } ?? "\(value)" }
}

extension LocalNumber: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    /// Creates a number from a literal: `12.5`.
    public init(floatLiteral value: Double) { self.value = value }

    /// Creates a number from a literal: `12`.
    public init(integerLiteral value: Int) { self.value = Double(value) }
}

extension LocalNumber: Codable {
    /// Reads a number.
    public init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Double.self)
    }

    /// Writes a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension LanguageFormat {
    /// A number that a person has typed, as Swift and JSON write it; nil for any other text.
    ///
    ///     typed = [ sign ] ( 1*DIGIT / 1*3DIGIT 1*( group 3DIGIT ) ) [ decimal 1*DIGIT ]
    ///
    /// The signs are those of the language. Where it has a blank between groups, any blank is one, and where it has an
    /// apostrophe, any of them; direction marks mean nothing.
    func decimalText(of text: String) -> String? {
        var rest = Array(text.unicodeScalars).filter { !Self.marks.contains($0) }[...]
        let isBlank = { (scalar: Unicode.Scalar) in Self.blanks.contains(scalar) }
        rest = rest.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        guard rest.count <= Self.longestInput else { return nil }
        let isNegative = rest.first.map { Self.minusSigns.contains($0) } ?? false
        if isNegative || rest.first == "+" { rest.removeFirst() }
        let parts = rest.split(separator: decimalSign.unicodeScalars.first ?? ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Self.ungrouped(parts[0], groupSign.unicodeScalars.first)
        else { return nil }
        let fraction: ArraySlice<Unicode.Scalar> = parts.count == 2 ? parts[1] : []
        guard parts.count == 1 || !fraction.isEmpty, fraction.allSatisfy(Self.isDigit) else { return nil }
        var number = String.UnicodeScalarView(isNegative ? ["-"] : [])
        number.append(contentsOf: whole)
        if !fraction.isEmpty { number.append(".") }
        number.append(contentsOf: fraction)
        return String(number)
    }

    /// The digits of a whole number, whose groups have three each, except for the first.
    private static func ungrouped(
        _ text: ArraySlice<Unicode.Scalar>, _ groupSign: Unicode.Scalar?
    ) -> [Unicode.Scalar]? {
        var alike: Set<Unicode.Scalar> = []
        if let groupSign { alike = [blanks, apostrophes].first { $0.contains(groupSign) } ?? [groupSign] }
        let groups = text.split(omittingEmptySubsequences: false) { alike.contains($0) }
        guard groups.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isDigit) }) else { return nil }
        guard groups.count == 1 || groups[0].count <= 3 && groups.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
        return groups.flatMap { $0 }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value &- 0x30 < 10 }

    /// More characters than any number has that a person types.
    private static let longestInput = 60
    private static let blanks: Set<Unicode.Scalar> = [" ", "\u{A0}", "\u{2009}", "\u{202F}"]
    private static let apostrophes: Set<Unicode.Scalar> = ["'", "\u{2019}"]
    private static let minusSigns: Set<Unicode.Scalar> = ["-", "\u{2212}"]
    private static let marks: Set<Unicode.Scalar> = ["\u{200E}", "\u{200F}", "\u{61C}"]
}
