/// A text that is shown in the language of the rendering: one of the template, `{{t "{count} rooms" count}}`, or one of
/// the page, `{{t label}}`.
struct TemplateTranslation: Sendable {
    /// The text, which tables of other languages have as a key; empty if the only value is the text.
    let text: String
    /// The names in braces, each with the path of its value.
    let values: [(name: String, path: UInt32)]

    /// The name in braces that stands for a value: the last part of its path.
    static func name(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: ".")).last.flatMap { String($0) } ?? path
    }

    /// The mistake in the names of a tag's values; nil if each is in the text, and the text has no other.
    static func mistake(_ text: String, _ paths: [String]) -> String? {
        let names = paths.map(name), inText = Sentence.names(in: text)
        if let name = names.first(where: { name in names.filter { $0 == name }.count > 1 }) {
            return "two values are called {\(name)}: give the page one of them under another name"
        }
        if let name = inText.first(where: { !names.contains($0) }) {
            return "the text has {\(name)}, and no value of that name stands after it"
        }
        if let name = names.first(where: { !inText.contains($0) }) {
            return "the text has no {\(name)} for the value that stands after it"
        }
        if let name = Sentence.arguments(in: text).first(where: \.isMistaken)?.name {
            return """
                {\(name), …} has no format that there is: write date, time, dateTime, number, percent, or currency \
                with its code
                """
        }
        return nil
    }
}
