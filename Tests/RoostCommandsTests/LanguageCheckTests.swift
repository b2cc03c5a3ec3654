import Roost
import Testing

@testable import RoostCommands

@Suite("Checks of languages", .timeLimit(.minutes(5)))
struct LanguageCheckTests {
    /// A program with twelve texts, of which one table translates none, and the other one wrongly.
    private struct Spoken: SiteProgram {
        static let texts = (1...12).map { "Text \($0)" }

        static func application() throws -> Application {
            let french = MessageTable("fr", ["Text 1": "Texte {x}"])
            return try Application(middleware: [Languages([.english, MessageTable("de"), french])]) { _ in }
        }
    }

    @Test func `of many faults, a text that is shown wrong is named before those that are not translated`() throws {
        let error = #expect(throws: StartError.self) {
            try CheckCommand<Spoken>.languages(of: Spoken.application())
        }
        let first = "fr: \"Text 1\" has no {x}, and its translation has. de: \"Text 1\" is not translated. "
        #expect(error?.description.hasPrefix(first) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasSuffix(" and 14 more") == true, "\(error?.description ?? "")")
    }
}
