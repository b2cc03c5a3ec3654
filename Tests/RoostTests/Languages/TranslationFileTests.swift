import FoundationEssentials
import Testing

@testable import Roost

@Suite("Files of translations", .timeLimit(.minutes(5)))
struct TranslationFileTests {
    private func texts(_ content: String) throws -> [String: String] {
        try TranslationFile(content, file: "de.po").texts
    }

    @Test func `an entry has a text and its translation, of one line or several`() throws {
        let content = """
            msgid ""
            msgstr "Language: de\\n"

            # The button.
            #: Templates/login.mustache:3
            msgid "Sign in"
            msgstr "Anmelden"
            msgid "A \\"long\\" "
            "text"
            msgstr ""
            "Ein \\\\ langer\\n"
            "Text"
            #, fuzzy, c-format
            msgid "Guess"
            msgstr "Geraten"

            msgid "Later"
            msgstr ""
            #, fuzzy
            #~ msgid "Old"
            #~ msgstr "Alt"

            msgid "New"
            msgstr "Neu"
            """
        let expected = [
            "New": "Neu", "Sign in": "Anmelden", "A \"long\" text": "Ein \\ langer\nText",
        ]
        #expect(try texts(content) == expected)
        #expect(try texts(content.replacing("\n", with: "\r\n")) == expected)
        #expect(try texts("") == [:])
    }

    @Test func `a mark holds whatever other flags follow it, for one entry`() throws {
        let content = """
            #, fuzzy
            #, c-format
            msgid "Guess"
            msgstr "Geraten"

            #, c-format
            msgid "New"
            msgstr "Neu"
            """
        #expect(try texts(content) == ["New": "Neu"])
    }

    @Test func `what editors and systems leave in a folder is no table`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/tables-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["de.po", "pt_BR.po", ".po", ".de.po", "._de.po", "de.old.po", "de.po~"] {
            let content = ["de.po", "pt_BR.po"].contains(name) ? "msgid \"a\"\nmsgstr \"b\"\n" : "no table"
            try Data(content.utf8).write(to: URL(filePath: folder + "/" + name))
        }
        // An editor's lock is a link to nothing.
        try FileManager.default.createSymbolicLink(atPath: folder + "/.#de.po", withDestinationPath: "nobody@nowhere")
        #expect(try MessageTable.all(in: folder).map(\.language) == ["en", "de", "pt-BR"])
        let files = try TranslationUpdate.files(in: folder)
        #expect(files.map(\.language) == ["de", "pt-BR"] && files.map(\.name) == ["de.po", "pt_BR.po"])
    }

    private func inFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/tables-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, content) in files { try Data(content.utf8).write(to: URL(filePath: folder + "/" + name)) }
        try body(folder)
    }

    @Test func `what a region lacks is that of its language and script`() throws {
        let files = [
            "de.po": "msgid \"a\"\nmsgstr \"de\"\nmsgid \"b\"\nmsgstr \"de\"\n",
            "de_AT.po": "msgid \"b\"\nmsgstr \"at\"\n", "en.po": "msgid \"a\"\nmsgstr \"en\"\n", "en_GB.po": "",
            "zh.po": "msgid \"a\"\nmsgstr \"zh\"\n", "zh_Hant.po": "msgid \"b\"\nmsgstr \"hant\"\n",
            "zh_Hant_HK.po": "", "zh_TW.po": "", "de-1996.po": "",
        ]
        try inFolder(files) { folder in
            let tables = try MessageTable.all(in: folder)
            let texts = tables.map { "\($0.language) \($0.text("a")) \($0.text("b"))" }
            #expect(
                texts == [
                    "en en b", "de-1996 de de", "de de de", "de-AT de at", "en-GB en b", "zh zh b", "zh-Hant a hant",
                    "zh-Hant-HK a hant", "zh-TW a b",
                ])
        }
    }

    @Test func `a file whose name is no language is told`() throws {
        try inFolder(["sr@latin.po": ""]) { folder in
            let error = #expect(throws: StartError.self) { try MessageTable.all(in: folder) }
            let told = error?.description.dropFirst(folder.count)
            #expect(told == "/sr@latin.po is named by no language: write it as BCP 47 does, sr-Latn.po.")
        }
    }

    @Test func `a byte order mark before the first line is no part of it`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/de.\(UUID().uuidString).po"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("\u{FEFF}msgid \"a\"\nmsgstr \"b\"\n".utf8).write(to: URL(filePath: path))
        #expect(try MessageTable(contentsOf: path).untranslated(of: ["a", "b"]) == ["b"])
        #expect(try TranslationUpdate(file: path, language: "de", texts: ["b"]).added == ["b"])
        #expect(try TranslationUpdate(file: path, language: "de", texts: ["b"]).unused == ["a"])
    }

    @Test(arguments: ["\n", "\r", "\r\n", ""])
    func `a file that gets texts can be read again, however it ended`(end: String) throws {
        let old = "msgid \"a\"\r\nmsgstr \"b\"" + end
        let update = try TranslationUpdate(of: old, language: "de", path: "de.po", texts: ["a", "c"])
        let again = try TranslationUpdate(of: update.content, language: "de", path: "de.po", texts: ["a", "c"])
        #expect(update.added == ["c"] && again.added.isEmpty && again.content == update.content)
    }

    @Test(arguments: [
        ("msgid \"a\"", "de.po, line 1: \"a\" has no msgstr."),
        ("\nmsgid a", "de.po, line 2: a text stands in quotation marks."),
        ("msgid \"a\"\nmsgid_plural \"b\"", "de.po, line 2: write the forms of a number into msgstr, as "),
        ("msgctxt \"verb\"\nmsgid \"a\"", "de.po, line 1: no text has a context (msgctxt): let two texts differ"),
        ("hello", "de.po, line 1: a line begins with msgid, msgstr, a quotation mark or #."),
        ("msgstr \"a\"", "de.po, line 1: a line begins with"), ("\"a\"", "de.po, line 1: a line begins with"),
        ("msgid \"a\\x\"", "de.po, line 1: a backslash stands before"), ("msgid \"a\\\"", "de.po, line 1: "),
        ("msgid \"a\"b\"", "de.po, line 1: write a quotation mark inside a text as"),
        ("msgid \"a\"\nmsgstr \"b\"\nmsgid \"a\"\nmsgstr \"c\"", "de.po, line 4: \"a\" is there twice."),
    ])
    func `any other line is a mistake with its place`(content: String, message: String) {
        let error = #expect(throws: StartError.self) { try texts(content) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("pl", "one {# pokój} other {# pokoje}", ["few", "many"]),
        ("pl", "one {# pokój} few {# pokoje} many {# pokoi} other {# pokoju}", []),
        ("pl", "=1 {pokój} few {# pokoje} many {# pokoi} other {# pokoju}", []), ("pl", "other {# MB}", []),
        ("pl", "=1 {pokój} other {# pokoju}", []),
        ("ru", "one {# файл} two {# файла} other {# файлов}", ["few", "many"]), ("fr", "one {#} other {#}", []),
        ("de", "one {#} other {#}", []), ("de", "=0 {#} other {#}", []), ("ja", "one {#} other {#}", []),
        ("xx", "few {#} other {#}", []), ("lv", "one {#} other {#}", []),
        ("pl", "one {# pokój} few {# pokoje} other {# pokoi}", []),
    ])
    func `a choice that lacks a form of its language is a fault`(language: String, choice: String, missing: [String]) {
        let table = MessageTable(language, ["{n} rooms": "{n, plural, \(choice)}"])
        let faults = missing.map { "\(language): {n} in the translation of \"{n} rooms\" has no words for \"\($0)\"." }
        #expect(table.faults(for: ["{n} rooms"]) == faults)
    }

    @Test func `a table says what it lacks, and what it has too much`() {
        let table = MessageTable(
            "de",
            ["Sign in": "Anmelden", "Left": "Weg", "{n} rooms": "{n, plural, one {ein {m}} other {# Räume}}"])
        #expect(
            table.faults(for: ["Sign in", "{n} rooms", "Sign out"]) == [
                "de: \"Sign out\" is not translated.", "de: \"Left\" is used nowhere.",
                "de: \"{n} rooms\" has no {m}, and its translation has.",
            ])
        #expect(table.faults(for: ["Sign in", "Left", "{n} rooms"]).count == 1)
        // Roost itself uses it.
        #expect(MessageTable("de", ["Must not be empty.": "Fehlt.", "Not Found": "Fehlt"]).faults(for: []) == [])
        let short = MessageTable("de", ["{n} rooms": "{n, plural, one {ein Raum}}"])
        #expect(
            short.faults(for: ["{n} rooms"]) == [
                "de: the translation of \"{n} rooms\" has no words for other numbers of {n}."
            ])
    }

    @Test(arguments: [
        ("a {n}", "{n, plural, one {x} other {# y}", ["the translation of \"a {n}\" has a { without a }."]),
        ("d {n}", "Zimmer {n", ["the translation of \"d {n}\" has a { without a }."]),
        ("e", "Zimmer }{", ["the translation of \"e\" has a } without a {."]),
        (
            "b {n}", "{n, plural, one {ein Raum} othr {# Räume} other {#}} }",
            [
                "{n} in the translation of \"b {n}\" has words for \"othr\", which is no category of numbers.",
                "the translation of \"b {n}\" has a } without a {.",
            ]
        ),
        (
            "c {n}", "{n, plural, =zwei {b} on {a} other {#}}",
            [
                "{n} in the translation of \"c {n}\" has words for \"=zwei\", which is no category of numbers.",
                "{n} in the translation of \"c {n}\" has words for \"on\", which is no category of numbers.",
            ]
        ),
        ("f {n}", "{n, plural, =0 {} =2.5 {} =-1 {} zero {} one {} two {} few {} many {} other {}}", []),
        ("a smile :}", "ein Lächeln :}", []), ("an open {", "eine offene {", []),
    ])
    func `a slip of a translator in braces or in a category is a fault`(
        english: String, translation: String, faults: [String]
    ) {
        let table = MessageTable("de", [english: translation])
        #expect(table.faults(for: [english]) == faults.map { "de: " + $0 })
    }
}
