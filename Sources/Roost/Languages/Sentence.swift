/// A sentence for people, with what changes in it: `Sentence("A nest has at most {count} eggs.", ["count": 12])`.
///
/// The English text with its names in braces is also the key under which a `MessageTable` has the sentence in another
/// language, which may put the names in another order. Where the words depend on a number, a text lists them as in
/// ICU's message format; `#` is the number:
///
///     {count, plural, =0 {no eggs} one {# egg} other {# eggs}}
public struct Sentence: Sendable, Hashable {
    /// The English text.
    public let template: String
    /// The values of the names in the template.
    public let values: [String: String]

    /// A sentence from a template, and the values of the names in it.
    public init(_ template: String, _ values: [String: any CustomStringConvertible & Sendable] = [:]) {
        self.template = template
        self.values = values.mapValues(\.description)
    }

    /// The sentence in English.
    public var text: String { text(as: template, plural: Self.isOne) }

    /// The plural category (Unicode CLDR) of a number in languages with one singular and one plural, such as English
    /// and German.
    static let isOne: @Sendable (Int) -> String = { $0.magnitude == 1 ? "one" : "other" }

    /// A text with the sentence's values.
    /// - Parameter plural: The category of a number (Unicode CLDR): `zero`, `one`, `two`, `few`, `many` or `other`.
    func text(as template: String, plural: (Int) -> String) -> String {
        guard !values.isEmpty else { return template }
        return Self.filled(template[...], number: nil) { argument in
            let parts = argument.split(separator: ",", maxSplits: 2).map { $0.trimmingBlanks() }
            guard let name = parts.first, let value = values[String(name)] else { return nil }
            guard parts.count == 3, parts[1] == "plural" else { return (value[...], nil) }
            let choices = Self.choices(parts[2])
            let category = Int(value).map(plural) ?? "other"
            return (choices["=" + value] ?? choices[category] ?? choices["other"] ?? "", value)
        }
    }

    /// The names in braces of a text, in its order; of one with a choice, also those in its branches.
    static func names(in text: String) -> [String] { arguments(in: text).map(\.name) }

    /// The names of a text that choose among words, and lack those for all other numbers.
    static func namesWithoutOther(in text: String) -> [String] {
        arguments(in: text).filter { $0.choices.map { $0["other"] == nil } ?? false }.map(\.name)
    }

    private static func arguments(in text: String) -> [(name: String, choices: [String: Substring]?)] {
        var all: [(name: String, choices: [String: Substring]?)] = []
        _ = filled(text[...], number: nil) { argument in
            let parts = argument.split(separator: ",", maxSplits: 2).map { $0.trimmingBlanks() }
            let choices = parts.count == 3 ? choices(parts[2]) : nil
            if let name = parts.first { all.append((String(name), choices)) }
            for choice in (choices ?? [:]).values { all += arguments(in: String(choice)) }
            return nil
        }
        return all
    }

    /// A text whose arguments in braces are replaced; those that mean nothing stay as they are.
    /// - Parameter number: What `#` stands for.
    private static func filled(
        _ template: Substring, number: String?, _ value: (Substring) -> (text: Substring, number: String?)?
    ) -> String {
        var (text, rest) = ("", template)
        while let index = rest.firstIndex(where: { $0 == "{" || $0 == "#" && number != nil }) {
            text += rest[..<index]
            if rest[index] == "#" {
                text += number ?? ""
                rest = rest[rest.index(after: index)...]
                continue
            }
            guard let argument = argument(rest[index...]) else {
                rest = rest[index...]
                break
            }
            if let (replacement, number) = value(argument) {
                // Only a choice is a template itself; a value is shown as it is, whatever it has.
                text += number.map { filled(replacement, number: $0, value) } ?? String(replacement)
            } else {
                text += "{\(argument)}"
            }
            rest = rest[argument.endIndex...].dropFirst()
        }
        return text + rest
    }

    /// Returns what a text has between the brace at its beginning and the one that closes it; nil if none does.
    private static func argument(_ text: Substring) -> Substring? {
        var depth = 0
        for index in text.indices {
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" { depth -= 1 }
            if depth == 0 { return text[text.index(after: text.startIndex)..<index] }
        }
        return nil
    }

    /// The texts of `one {# egg} other {# eggs}` by their categories.
    private static func choices(_ list: Substring) -> [String: Substring] {
        var choices: [String: Substring] = [:]
        var rest = list
        while let brace = rest.firstIndex(of: "{"), let choice = argument(rest[brace...]) {
            choices[String(rest[..<brace].trimmingBlanks())] = choice
            rest = rest[choice.endIndex...].dropFirst()
        }
        return choices
    }
}
