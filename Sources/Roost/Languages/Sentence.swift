import FoundationEssentials

/// A sentence for people, with what changes in it: `Sentence("A nest has at most {count} eggs.", ["count": 12])`.
///
/// The English text with its names in braces is also the key by which a `MessageTable` finds the translation, which may
/// put the names in another order. Where the wording depends on a number, the text lists the variants as in ICU's
/// message format; `#` is the number. A day, a time or a number can be formatted as is usual in the language:
///
///     {count, plural, =0 {no eggs} one {# egg} other {# eggs}}
///     Laid on {day, date, long}, with {weight, number, 1} grams.
///
/// The formats are `date`, `time`, `dateTime`, `number`, `percent` and `currency`, with the styles of ``DateStyle`` and
/// ``TimeStyle``, a number of decimals, or the code of a currency.
public struct Sentence: Sendable, Hashable {
    /// The English text.
    let template: String
    /// The values of the names in the template.
    let values: [String: String]
    /// The names whose values are numbers that people type.
    private let typed: Set<String>

    /// Creates a sentence from a template, and the values of the names in it. A ``LocalNumber`` is written in the
    /// notation of the ``MessageTable``'s language, even if the table lacks the sentence.
    public init(_ template: String, _ values: [String: any CustomStringConvertible & Sendable] = [:]) {
        self.template = template
        self.values = values.mapValues { ($0 as? Date).flatMap(DateTime.text) ?? $0.description }
        typed = Set(values.compactMap { $0.value is LocalNumber ? $0.key : nil })
    }

    /// A sentence whose values are texts already.
    init(_ template: String, texts values: [String: String]) {
        self.template = template
        self.values = values
        typed = []
    }

    /// The sentence in English.
    public var text: String { text(as: template, in: .english) }

    /// The plural category (Unicode CLDR) of a number in languages with one singular and one plural, such as English
    /// and German.
    static let isOne: @Sendable (Int) -> String = { $0.magnitude == 1 ? "one" : "other" }

    /// A text with the sentence's values.
    /// - Parameters:
    ///   - table: The language of the text, which knows plurals and ways of writing.
    ///   - typing: The language in which people type numbers, if it is another one.
    func text(as template: String, in table: MessageTable, typing: MessageTable? = nil) -> String {
        guard !values.isEmpty else { return template }
        return Self.filled(template[...], number: nil) { text in
            let argument = Argument(text)
            guard let value = values[argument.name] else { return nil }
            if let format = argument.format { return ((table.text(of: value, as: format) ?? value)[...], nil) }
            guard let choices = argument.choices else {
                let number = typed.contains(argument.name) ? DecimalNumber(value) : nil
                return ((number.map((typing ?? table).format.input) ?? value)[...], nil)
            }
            let number = table.text(of: value, as: .number(decimals: nil)) ?? value
            // The words go by the number that is shown: 1.0 is 1.
            let shown = DecimalNumber(value)?.rounded(to: ValueFormat.usualDecimals)
            let whole = shown?.integer
            let category = whole.map(table.plural) ?? shown.map { PluralRule.ofDecimals($0, in: table.language) }
            let exact = choices["=" + value] ?? whole.flatMap { choices["=\($0)"] }
            return (exact ?? choices[category ?? "other"] ?? choices["other"] ?? "", number)
        }
    }

    /// The content of a pair of braces: a name, and a choice of words or a format.
    struct Argument {
        let name: String
        /// The texts by the categories of the number; nil without `plural`.
        var choices: [String: Substring]?
        /// The way of writing the value; nil without one.
        var format: ValueFormat?
        /// Whether something stands after the name that is no format and no choice.
        var isMistaken = false
        /// Whether it chooses among words, and lacks those for all other numbers.
        var lacksOther: Bool { choices.map { $0["other"] == nil } ?? false }
        /// The keys of the choice that no number has.
        var unknownCategories: [String] { (choices ?? [:]).keys.filter { !Sentence.isCategory($0) }.sorted() }

        /// The categories of a language's usual numbers that the choice lacks, if they are several, and it has words
        /// for others.
        func missingCategories(_ plural: (Int) -> String) -> [String] {
            guard let choices else { return [] }
            let usual = Set((0...200).filter { choices["=\($0)"] == nil }.map(plural)).subtracting(["other"])
            let missing = usual.filter { choices[$0] == nil }
            // One alone may have the words of `other`, as in gettext's three forms of Polish.
            return missing.count > 1 && missing.count < usual.count ? missing.sorted() : []
        }

        init(_ text: Substring) {
            let parts = text.utf8.split(separator: UInt8(ascii: ","), maxSplits: 2).map {
                Substring($0).trimmingBlanks()
            }
            name = parts.first.map(String.init) ?? ""
            guard parts.count > 1 else { return }
            if parts[1] == "plural", parts.count == 3 {
                choices = Sentence.choices(parts[2])
            } else {
                format = ValueFormat(String(parts[1]), parts.count == 3 ? String(parts[2]) : nil)
                isMistaken = format == nil
            }
        }
    }

    /// The names of a text's arguments.
    static func names(in text: String) -> [String] { arguments(in: text).map(\.name) }

    /// Whether a key of a choice is a category of numbers (Unicode CLDR), or one number: `=0`.
    private static func isCategory(_ key: String) -> Bool {
        if ["zero", "one", "two", "few", "many", "other"].contains(key) { return true }
        return key.hasPrefix("=") && DecimalNumber(String(key.dropFirst())) != nil
    }

    /// The brace of a text that lacks its other one, in words; nil if all have theirs.
    static func looseBrace(in text: String) -> String? {
        var depth = 0
        for byte in text.utf8 {
            if byte == open { depth += 1 }
            if byte == close { depth -= 1 }
            if depth < 0 { return "a } without a {" }
        }
        return depth > 0 ? "a { without a }" : nil
    }

    /// The arguments of a text, in its order; of one with a choice, also those in its branches.
    static func arguments(in text: String) -> [Argument] {
        var all: [Argument] = []
        _ = filled(text[...], number: nil) { text in
            let argument = Argument(text)
            if !argument.name.isEmpty { all.append(argument) }
            for choice in (argument.choices ?? [:]).values { all += arguments(in: String(choice)) }
            return nil
        }
        return all
    }

    /// A text whose arguments in braces are replaced; those that mean nothing stay as they are. Its bytes are looked
    /// at, whatever stands beside a brace.
    /// - Parameter number: The text that `#` stands for.
    private static func filled(
        _ template: Substring, number: String?, _ value: (Substring) -> (text: Substring, number: String?)?
    ) -> String {
        var (text, rest) = ("", template.utf8)
        while let index = rest.firstIndex(where: { $0 == open || $0 == hash && number != nil }) {
            text += Substring(rest[..<index])
            rest = rest[index...]
            if rest.first == hash {
                text += number ?? ""
                rest = rest.dropFirst()
                continue
            }
            guard let argument = argument(rest) else { break }
            if let (replacement, number) = value(argument) {
                // Only a choice is a template itself; a value is shown as it is, whatever it has.
                text += number.map { filled(replacement, number: $0, value)[...] } ?? replacement
            } else {
                text += "{\(argument)}"
            }
            rest = rest[argument.endIndex...].dropFirst()
        }
        return text + Substring(rest)
    }

    private static let (open, close, hash) = (UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "#"))

    /// Returns what a text has between the brace at its beginning and the one that closes it; nil if none does.
    private static func argument(_ text: Substring.UTF8View) -> Substring? {
        var depth = 0
        for index in text.indices {
            if text[index] == open { depth += 1 }
            if text[index] == close { depth -= 1 }
            if depth == 0 { return Substring(text[..<index].dropFirst()) }
        }
        return nil
    }

    /// The texts of `one {# egg} other {# eggs}` by their categories.
    fileprivate static func choices(_ list: Substring) -> [String: Substring] {
        var choices: [String: Substring] = [:]
        var rest = list.utf8
        while let brace = rest.firstIndex(of: open), let choice = argument(rest[brace...]) {
            choices[String(Substring(rest[..<brace]).trimmingBlanks())] = choice
            rest = rest[choice.endIndex...].dropFirst()
        }
        return choices
    }
}
