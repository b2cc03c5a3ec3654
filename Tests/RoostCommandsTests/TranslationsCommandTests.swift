import FoundationEssentials
import Roost
import RoostTesting
import Testing

@testable import RoostCommands

@Suite("The command translations", .quietLog, .timeLimit(.minutes(5)))
struct TranslationsCommandTests {
    /// A program in English and in what the task's folder has.
    private struct Spoken: SiteProgram {
        @TaskLocal static var folder = ""
        static let fields = FieldSet(
            .text("kind", "Kind").hint("As in books"), .select("of", "Of", ["": "", "a": "Owls"]))
        static let texts = ["Welcome"] + fields.texts

        static func application() throws -> Application {
            try Application(
                templates: Templates(sources: ["main": #"{{t "{n} owls" n}}"#]),
                middleware: [Languages(try MessageTable.all(in: folder))]
            ) { _ in }
        }
    }

    private static func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/spoken-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Spoken.$folder.withValue(folder) { try await body(folder) }
    }

    private static func run(_ arguments: [String], _ folder: String) async throws {
        try await TranslationsCommand<Spoken>.parse(arguments + ["--folder", folder]).run()
    }

    @Test func `check finds nothing missing in a file that it has made, once that is translated`() async throws {
        try await Self.inFolder { folder in
            try await Self.run(["de"], folder)
            let path = folder + "/de.po"
            let made = try String(contentsOfFile: path, encoding: .utf8)
            let texts = ["Welcome", "Kind", "As in books", "Of", "Owls", "{n} owls", "Not Found", "Must not be empty."]
            for text in texts { #expect(made.contains("msgid \"\(text)\"\nmsgstr \"\"\n")) }
            #expect(throws: StartError.self) { try CheckCommand<Spoken>.languages(of: Spoken.application()) }
            var lines = made.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            for index in lines.indices.dropFirst(4) where lines[index] == "msgstr \"\"" {
                lines[index] = "msgstr" + lines[index - 1].dropFirst(5)
            }
            let translated = lines.joined(separator: "\n")
            try Data(translated.utf8).write(to: URL(filePath: path))
            #expect(try CheckCommand<Spoken>.languages(of: Spoken.application()) == "en; de")
            try await Self.run([], folder)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == translated)
        }
    }

    @Test func `it says what it did`() async throws {
        try await Self.inFolder { folder in
            let path = folder + "/de.po"
            try Data("msgid \"Old\"\nmsgstr \"Alt\"\n".utf8).write(to: URL(filePath: path))
            let update = try TranslationUpdate(file: path, language: "de", texts: ["New", "More"])
            #expect(
                TranslationsCommand<Spoken>.report(update, "Languages/de.po") == """
                    Languages/de.po: 2 added, 2 to translate, 1 used nowhere
                      added: New
                      added: More
                      used nowhere: Old
                    """)
        }
    }

    @Test func `a language is found however its name is written`() async throws {
        try await Self.inFolder { folder in
            try Data("msgid \"Welcome\"\nmsgstr \"Willkommen\"\n".utf8).write(to: URL(filePath: folder + "/de.po"))
            try await Self.run(["DE"], folder)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["de.po"])
        }
    }

    @Test(arguments: [["en"], ["en-GB"], ["../x"], ["de/x"], [""], ["de-"]])
    func `a name that is no other language is refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try TranslationsCommand<Spoken>.parse(arguments) }
    }

    @Test func `a folder without a language wants the name of one`() async throws {
        try await Self.inFolder { folder in
            await #expect(throws: (any Error).self) { try await Self.run([], folder) }
            await #expect(throws: (any Error).self) { try await Self.run(["de"], folder + "/none") }
        }
    }
}
