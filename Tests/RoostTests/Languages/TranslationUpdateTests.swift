import FoundationEssentials
import RoostTesting
import Testing

@testable import Roost

@Suite("Files of translations that are brought up to date", .quietLog, .timeLimit(.minutes(5)))
struct TranslationUpdateTests {
    private static func update(_ old: String?, _ texts: [String]) throws -> TranslationUpdate {
        try TranslationUpdate(of: old, language: "de", path: "de.po", texts: texts)
    }

    private static let old = """
        # Deutsch.
        msgid ""
        msgstr "Language: de"

        # The heading.
        msgid "Rooms"
        msgstr "Räume"

        #, fuzzy
        msgid "Save"
        msgstr "Sichern"

        # For the old page.
        msgid "Old"
        msgstr "Alt"

        msgid "Open"
        msgstr ""
        """

    @Test func `what is missing stands at the end, what is there stays, what is not used is marked`() throws {
        let update = try Self.update(Self.old, ["Rooms", "Save", "Open", "New \"one\"\n{n}\\"])
        #expect(update.added == ["New \"one\"\n{n}\\"] && update.unused == ["Old"] && update.openCount == 3)
        let marked = Self.old.replacing("msgid \"Old\"", with: "#. Used nowhere.\nmsgid \"Old\"")
        #expect(update.content == marked + "\n\n" + #"msgid "New \"one\"\n{n}\\""# + "\nmsgstr \"\"\n")
        let file = try TranslationFile(update.content, file: "de.po")
        #expect(file.texts == ["Rooms": "Räume", "Old": "Alt"])
        #expect(file.entries.map(\.id) == ["Rooms", "Save", "Old", "Open", "New \"one\"\n{n}\\"])
    }

    @Test func `a second time changes nothing`() throws {
        for old in [Self.old, Self.old + "\n\n\n", nil, ""] {
            let texts = ["Rooms", "New"]
            let first = try Self.update(old, texts)
            let second = try Self.update(first.content, texts)
            #expect(second.content == first.content && second.added == [] && second.unused == first.unused)
        }
    }

    @Test func `the remark goes when a text is used again`() throws {
        let marked = try Self.update(Self.old, ["Rooms", "Save", "Open"]).content
        #expect(marked != Self.old)
        #expect(try Self.update(marked, ["Rooms", "Save", "Open", "Old"]).content == Self.old)
    }

    @Test func `a new file has a head, and each text once`() throws {
        let update = try Self.update(nil, ["One", "Two", "One"])
        #expect(update.added == ["One", "Two"])
        #expect(
            update.content == """
                msgid ""
                msgstr ""
                "Language: de\\n"
                "Content-Type: text/plain; charset=UTF-8\\n"

                msgid "One"
                msgstr ""

                msgid "Two"
                msgstr ""

                """)
    }

    @Test(arguments: ["a\r\nb", "\"\u{301}", "\\\u{301}\t", "\n\u{301}\r"])
    func `any text can be read again`(text: String) throws {
        let file = try TranslationFile(Self.update(nil, [text]).content, file: "de.po")
        #expect(file.entries.map { Array($0.id.utf8) } == [Array(text.utf8)])
    }

    @Test func `what is used nowhere is not to be translated`() throws {
        #expect(try Self.update(Self.old, ["Rooms", "Save"]).openCount == 1)
    }

    @Test func `a file that cannot be read is not overwritten, and a link stays one`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/translations-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/de.po", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let error = #expect(throws: StartError.self) {
            try TranslationUpdate(file: folder + "/de.po", language: "de", texts: ["One"])
        }
        #expect(error?.description.contains("is no file that can be read") == true)
        try Data("msgid \"One\"\nmsgstr \"Eins\"\n".utf8).write(to: URL(filePath: folder + "/real"))
        try FileManager.default.createSymbolicLink(atPath: folder + "/fr.po", withDestinationPath: folder + "/real")
        _ = try TranslationUpdate(file: folder + "/fr.po", language: "fr", texts: ["One", "Two"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/fr.po") == folder + "/real")
        #expect(try TranslationFile.content(of: folder + "/real").contains("Eins"))
        #expect(try TranslationFile.content(of: folder + "/real").contains("msgid \"Two\""))
    }

    @Test func `ends of lines stay those of the file`() throws {
        let old = "msgid \"Old\"\r\nmsgstr \"Alt\"\r\n"
        let update = try Self.update(old, ["New"])
        #expect(update.content == "#. Used nowhere.\r\n" + old + "\r\nmsgid \"New\"\r\nmsgstr \"\"\r\n")
        #expect(try Self.update(update.content, ["New"]).content == update.content)
        #expect(try Self.update(update.content, ["New", "Old"]).content.hasPrefix(old))
    }

    @Test func `the file is written where it is, and not where nothing changes`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/translations-\(UUID().uuidString)"
        #expect(throws: StartError.self) { try TranslationUpdate.files(in: folder) }
        #expect(throws: StartError.self) {
            try TranslationUpdate(file: folder + "/de.po", language: "de", texts: ["One"])
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try TranslationUpdate(file: folder + "/pt_BR.po", language: "pt-BR", texts: ["One"]).added == ["One"])
        #expect(try TranslationUpdate.files(in: folder).map(\.language) == ["pt-BR"])
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
        #expect(try TranslationUpdate(file: folder + "/pt_BR.po", language: "pt-BR", texts: ["One"]).added == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        try Data("msgid \"One\"\nmsgstr \"".utf8).write(to: URL(filePath: folder + "/fr.po"))
        let error = #expect(throws: StartError.self) {
            try TranslationUpdate(file: folder + "/fr.po", language: "fr", texts: ["One"])
        }
        #expect(error?.description.contains("fr.po, line 2") == true)
    }
}
