public import HTTPTypes

/// What Roost says to people about their input and about errors, in one language.
///
///     let german = MessageTable("de", [
///         "Must not be empty.": "Darf nicht leer sein.",
///         "Must have at most {maximum} characters.": "Darf höchstens {maximum} Zeichen haben.",
///         "Not Found": "Nicht gefunden",
///         "The passwords differ.": "Die Passwörter sind verschieden.",
///     ])
///
/// A sentence is looked up by its English text, with names in braces for what changes; so an application's own messages
/// are found, too, and an English table can replace Roost's wording. What a table does not have stays English.
/// ``Languages`` chooses among several tables by what the client prefers.
public struct MessageTable: Sendable {
    /// The language as BCP 47 writes it: `de`, `pt-BR`.
    public let language: String
    private let texts: [String: String]

    /// A table of English texts and what is said instead.
    public init(_ language: String, _ texts: [String: String] = [:]) {
        self.language = language
        self.texts = texts
    }

    /// Roost's own words.
    public static let english = MessageTable("en")

    /// Every sentence about a field that Roost says by itself: the keys that a table in another language should have.
    public static let sentences = FieldMessage.all.map(\.template)

    /// A text in this language; itself when the table does not have it.
    public func text(_ english: String) -> String { texts[english] ?? english }

    /// What a status means, in this language.
    public func title(of status: HTTPResponse.Status) -> String { text(status.reasonPhrase) }

    /// A sentence with its values.
    func text(of message: FieldMessage) -> String {
        let template = text(message.template)
        guard !message.values.isEmpty else { return template }
        var text = ""
        var rest = template[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: start)..<end])
            text += rest[..<start] + (message.values[name] ?? "{\(name)}")
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }
}

extension Request {
    /// The key under which a request carries its table.
    enum MessageTableKey: RequestKey { typealias Value = MessageTable }

    /// What is said to the client, in the language that ``Languages`` has chosen; English without it.
    public var messages: MessageTable { self[MessageTableKey.self] ?? .english }
}

extension HTTPError {
    /// The same with the texts that a table has, in its language.
    func translated(by table: MessageTable) -> HTTPError {
        var error = self
        error.message = message.map(table.text)
        error.parts = parts.map { Part($0.pointer, table.text($0.message)) }
        return error
    }
}
