import Processes
import Testing

@testable import Roost

@Suite("The languages of a new package", .timeLimit(.minutes(5)))
struct NewPackageLanguagesTests {
    @Test(arguments: [[], ["--api"], ["--accounts"]])
    func `German has all that Roost says to visitors, and another language has it to translate`(
        options: [String]
    ) async throws {
        let script = #"new=$1; shift; "$new" "$@" "$TMPDIR/owls" >&2 && echo "$TMPDIR/owls" && exec sleep 100000"#
        let command = ["sh", "-c", script, "sh", Readme.root + "/scripts/new", "--languages", "de,fr"] + options
        let maker = try GuardedProcess(command)
        let folder = try #require(try await maker.output(upTo: "owls").split(separator: "\n").first)
        let tables = try MessageTable.all(in: "\(folder)/Languages")
        #expect(tables.map(\.language) == ["en", "de", "fr"])

        let german = try #require(tables.first { $0.language == "de" })
        #expect(german.untranslated(of: MessageTable.ownTexts) == [])
        #expect(german.mistakes(in: MessageTable.ownTexts) == [])
        for text in MessageTable.ownTexts {
            #expect(Set(Sentence.names(in: german.text(text))) == Set(Sentence.names(in: text)), "\(text)")
        }
        let soon = german.text(Sentence.tooManyRequests(seconds: 1))
        #expect(soon == "Zu viele Anfragen: Bitte in 1 Sekunde noch einmal versuchen.")

        let french = try TranslationFile(TranslationFile.content(of: "\(folder)/Languages/fr.po"), file: "fr.po")
        #expect(french.texts.isEmpty)
        #expect(Set(french.entries.map(\.id)).isSuperset(of: MessageTable.ownTexts))
        try await maker.stop()
    }
}
