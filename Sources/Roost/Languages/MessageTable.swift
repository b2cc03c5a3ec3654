public import HTTPTypes

/// The words of one language: Roost's messages to people about their input and about errors, the texts of the
/// application, and the ways of writing days, times and numbers.
///
///     let german = MessageTable("de", [
///         "Must not be empty.": "Darf nicht leer sein.",
///         "Must have at most {maximum} characters.": "Darf höchstens {maximum} Zeichen haben.",
///         "At least {count} eggs.": "Mindestens {count, plural, one {ein Ei} other {# Eier}}.",
///         "Not Found": "Nicht gefunden",
///         "The passwords differ.": "Die Passwörter sind verschieden.",
///     ])
///
/// A sentence is looked up by its English text, with names in braces for its values; so an application's own messages
/// can be translated, too, and an English table can replace Roost's wording. Sentences that a table lacks stay English.
/// ``Languages`` chooses among several tables by what the client prefers.
public struct MessageTable: Sendable {
    /// The language as BCP 47 writes it: `de`, `pt-BR`.
    public let language: String
    let texts: [String: String]
    let plural: @Sendable (Int) -> String
    let format: LanguageFormat
    /// The time zone in which moments are shown.
    public private(set) var timeZone = ZoneInfo.utc

    /// Creates a table of English texts and their translations.
    /// - Parameter plural: The category of a whole number in the language (Unicode CLDR): `zero`, `one`, `two`, `few`,
    ///   `many` or `other`. nil for the language's own rule, if it is one of ``PluralRule/languages``, and otherwise
    ///   for that of English.
    public init(
        _ language: String, _ texts: [String: String] = [:], plural: (@Sendable (Int) -> String)? = nil
    ) {
        self.language = language
        self.texts = texts
        self.plural = plural ?? PluralRule.of(language) ?? Sentence.isOne
        format = .of(language)
    }

    /// Whether the language is written from right to left, as Arabic and Hebrew are: `<html lang="he" dir="rtl">`. The
    /// script decides where the tag has one, as `az-Arab` does.
    public var isRightToLeft: Bool {
        let parts = language.lowercased().utf8.split(separator: UInt8(ascii: "-")).dropFirst()
        let script = parts.first(where: Self.isScript).flatMap { String($0) }
        return Self.rightToLeft.contains(script ?? PluralRule.primary(of: language))
    }

    /// Whether a part of a tag is a script, as `Latn` is. A variant of four signs has a digit: `1996`.
    static func isScript(_ part: Substring.UTF8View) -> Bool { part.count == 4 && !part.contains(where: \.isDigit) }

    private static let rightToLeft: Set<String> = [
        "ar", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi",
        "adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa",
    ]

    /// Returns the same table, which shows moments in a time zone.
    public func `in`(_ zone: ZoneInfo) -> MessageTable {
        var table = self
        table.timeZone = zone
        return table
    }

    /// The table of Roost's own English texts.
    public static let english = MessageTable("en")

    /// Roost's own sentences about fields, limits and other errors that a visitor can cause: the keys that a table in
    /// another language should have, beside the names of status codes. Faults in the syntax of JSON, in the types of
    /// its values, or in a WebSocket's handshake are not among them; only programs read those.
    public static let sentences = Sentence.all.map(\.template) + Sentence.ofErrors

    /// Returns a text in this language, or the text itself if the table does not have it.
    public func text(_ english: String) -> String { texts[english] ?? english }

    /// Returns the title of a status in this language: `Nicht gefunden`.
    public func title(of status: HTTPResponse.Status) -> String { text(status.title) }

    /// Returns a sentence with its values in this language.
    public func text(_ sentence: Sentence) -> String {
        if let text = texts[sentence.template] { return sentence.text(as: text, in: self) }
        return sentence.text(
            as: Self.englishPlurals[sentence.template] ?? sentence.template,
            in: isEnglish ? self : Self.english.in(timeZone), typing: self)
    }

    /// Roost's sentences whose words depend on a number.
    private static let englishPlurals = [
        Sentence.shortest(0).template: "Must have at least {minimum, plural, one {# character} other {# characters}}.",
        Sentence.longest(0).template: "Must have at most {maximum, plural, one {# character} other {# characters}}.",
        Sentence.fewestEntries(0).template: "Must have at least {minimum, plural, one {# entry} other {# entries}}.",
        Sentence.mostEntries(0).template: "Must have at most {maximum, plural, one {# entry} other {# entries}}.",
        Sentence.tooManyRequests(seconds: 0).template:
            "Too many requests: try again in {seconds, plural, one {# second} other {# seconds}}.",
        Sentence.tooManySignIns(seconds: 0).template:
            "Too many attempts to sign in. Try again in {seconds, plural, one {# second} other {# seconds}}.",
    ]
}
