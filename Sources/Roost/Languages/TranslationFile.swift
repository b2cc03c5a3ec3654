import FoundationEssentials

/// A file of translations, as the programs of translators read and write it (gettext's PO): `Languages/de.po`.
///
///     # A comment.
///     msgid "Sign in"
///     msgstr "Anmelden"
///
///     msgid "{count} rooms"
///     msgstr "{count, plural, one {ein Raum} other {# Räume}}"
///
/// An entry without a translation, and one that is marked as `fuzzy`, is not there.
struct TranslationFile {
    /// An entry as it stands in the file, with a translation or without one.
    struct Entry {
        let id: String
        /// The number of the line with its `msgid`, from 1.
        let line: Int
        let isTranslated: Bool
    }

    private(set) var texts: [String: String] = [:]
    private(set) var entries: [Entry] = []
    private let file: String
    private var line = 0, idLine = 0
    private var id: String?, text: String?
    private var isFuzzy = false

    /// - Throws: `StartError` with the line of what cannot be read.
    init(_ content: String, file: String) throws(StartError) {
        self.file = file
        for line in content.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            self.line += 1
            try read((String(line) ?? "").trimmingBlanksAndReturn)
        }
        try end()
    }

    private mutating func read(_ line: String) throws(StartError) {
        switch line {
        case "": break
        case let line where line.hasPrefix("#~"):
            try end()
            isFuzzy = false
        case let line where line.hasPrefix("#,"):
            try end()
            // An entry may have several such lines.
            let flags = line.utf8.split { $0 == UInt8(ascii: ",") || $0.isBlank }
            isFuzzy = isFuzzy || flags.contains { $0.elementsEqual("fuzzy".utf8) }
        case let line where line.hasPrefix("#"): if text != nil { try end() }
        case let line where line.hasPrefix("msgid "):
            try end()
            (id, idLine) = (try quoted(line.utf8.dropFirst(6)), self.line)
        case let line where line.hasPrefix("msgstr ") && id != nil && text == nil:
            text = try quoted(line.utf8.dropFirst(7))
        case let line where line.hasPrefix("\"") && text != nil: text = (text ?? "") + (try quoted(line.utf8[...]))
        case let line where line.hasPrefix("\"") && id != nil: id = (id ?? "") + (try quoted(line.utf8[...]))
        case let line where line.hasPrefix("msgid_plural"):
            throw fault("write the forms of a number into msgstr, as {count, plural, one {ein Raum} other {# Räume}}")
        case let line where line.hasPrefix("msgctxt"):
            throw fault("no text has a context (msgctxt): let two texts differ in English, as in \"Open it\"")
        default: throw fault("a line begins with msgid, msgstr, a quotation mark or #")
        }
    }

    /// Takes over an entry. The one without a text is the file's head.
    private mutating func end() throws(StartError) {
        guard let id else { return }
        guard let text else { throw fault("\"\(LogText.escaped(id))\" has no msgstr") }
        let isTranslated = !text.isEmpty && !isFuzzy
        if !id.isEmpty { entries.append(Entry(id: id, line: idLine, isTranslated: isTranslated)) }
        if !id.isEmpty, isTranslated {
            guard texts.updateValue(text, forKey: id) == nil else {
                throw fault("\"\(LogText.escaped(id))\" is there twice")
            }
        }
        (self.id, self.text, isFuzzy) = (nil, nil, false)
    }

    private func quoted(_ text: Substring.UTF8View) throws(StartError) -> String {
        let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")
        let trimmed = text.drop { $0.isBlank }
        guard trimmed.count >= 2, trimmed.first == quote, trimmed.last == quote else {
            throw fault("a text stands in quotation marks")
        }
        var bytes: [UInt8] = []
        var rest = trimmed.dropFirst().dropLast()
        while let byte = rest.popFirst() {
            guard byte != quote else { throw fault("write a quotation mark inside a text as \\\"") }
            guard byte == backslash else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "r"): bytes.append(UInt8(ascii: "\r"))
            case UInt8(ascii: "t"): bytes.append(UInt8(ascii: "\t"))
            case quote: bytes.append(quote)
            case backslash: bytes.append(backslash)
            default: throw fault("a backslash stands before n, r, t, a quotation mark or another backslash")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The content of a file, without a byte order mark.
    /// - Throws: `StartError` for one that is not there, or cannot be read.
    static func content(of path: String) throws(StartError) -> String {
        guard let data = FileManager.default.contents(atPath: path),
            let content = String(
                validating: data.starts(with: "\u{FEFF}".utf8) ? data.dropFirst(3) : data, as: UTF8.self)
        else { throw .configuration("\(LogText.escaped(path)) is no file that can be read, in UTF-8.") }
        return content
    }

    private func fault(_ reason: String) -> StartError { .configuration("\(file), line \(line): \(reason).") }
}

extension String {
    fileprivate var trimmingBlanksAndReturn: String {
        let text = utf8.last == UInt8(ascii: "\r") ? Substring(utf8.dropLast()) : self[...]
        return String(text.trimmingBlanks())
    }
}

extension MessageTable {
    /// Reads a table from a file of translations, whose name is that of the language: `Languages/de.po`. Poedit,
    /// Weblate and other programs for translators edit such files.
    ///
    ///     msgid "{count} rooms"
    ///     msgstr "{count, plural, one {ein Raum} other {# Räume}}"
    ///
    /// - Throws: ``StartError/configuration(_:)`` with the line of what cannot be read.
    public init(contentsOf path: String) throws(StartError) {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? path
        let language = name.utf8.split(separator: UInt8(ascii: ".")).first.flatMap { String($0) } ?? name
        let content = try TranslationFile.content(of: path)
        self.init(language.replacing("_", with: "-"), try TranslationFile(content, file: path).texts)
    }

    /// Returns the English table, and after it those of a folder, such as `Languages/de.po`. A file with another dot in
    /// its name, such as `.#de.po` or `de.old.po`, is left out: editors and systems make those. Texts that a region
    /// lacks are taken from its language: `de-AT` has all of `de`.
    /// - Throws: ``StartError/configuration(_:)`` for a folder or a file that cannot be read.
    public static func all(in folder: String) throws(StartError) -> [MessageTable] {
        var tables: [MessageTable] = []
        for file in try TranslationUpdate.files(in: folder) {
            tables.append(try MessageTable(contentsOf: "\(folder)/\(file.name)"))
        }
        let english = tables.first { $0.language == "en" } ?? .english
        return [english] + tables.filter { $0.language != "en" }.map { $0.completed(from: tables) }
    }

    /// The same table, which has what it lacks from those of the same language and script, the nearest one first.
    private func completed(from tables: [MessageTable]) -> MessageTable {
        let parts = language.lowercased().utf8.split(separator: UInt8(ascii: "-")).map { Substring($0) }
        // Another script is another text, and so may Chinese without one be.
        let begun = (1..<max(parts.count, 1)).reversed()
            .filter { parts[$0...].allSatisfy { !Self.isScript($0.utf8) } }
            .map { parts[..<$0].joined(separator: "-") }
        let nearest = begun.compactMap { tag in tag == "zh" ? nil : tables.first { $0.language.lowercased() == tag } }
        return MessageTable(language, nearest.reduce(texts) { $0.merging($1.texts) { own, _ in own } })
    }
}
