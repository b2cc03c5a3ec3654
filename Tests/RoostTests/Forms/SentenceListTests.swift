import Testing

@testable import Roost

@Suite("The list of sentences", .timeLimit(.minutes(5)))
struct SentenceListTests {
    /// The texts that errors and sentences are made of in the sources, where visitors may see them.
    private static func said() -> Set<String> {
        let rooms = [
            "Connection", "Files", "Forms", "HTTP", "Languages", "Lists", "Middleware", "Routing", "Server", "Views",
        ]
        var said: Set<String> = []
        var texts = rooms.flatMap(Sources.files).map(\.text)
        texts += (Sources.paths(below: "Sources/RoostAuth") + ["Sources/RoostSQL/DatabaseError.swift"])
            .map(Readme.contents)
        for text in texts {
            let lines = text.split(separator: "\n").filter { !$0.contains("///") }.joined(separator: " ")
            let pattern = #/(?:HTTPError\(\s*\.[\w.]+(?:\([^)]*\))?,|Sentence\()\s*"((?:[^"\\])*)"/#
            for match in lines.matches(of: pattern) { said.insert(String(match.1)) }
        }
        return said
    }

    @Test func `has everything that Roost says to visitors`() {
        let said = Self.said()
        #expect(said.contains("Must not be empty.") && said.contains("The form is not valid UTF-8."))
        #expect(said.contains("Sign in first."))
        for sentence in said.sorted() { #expect(MessageTable.sentences.contains(sentence), "\(sentence)") }
        #expect(Set(MessageTable.sentences).count == MessageTable.sentences.count)
    }

    @Test func `no text of an error is put together where a table cannot find it`() {
        for file in ["Files", "Forms", "Middleware", "Routing", "Views"].flatMap(Sources.files) {
            #expect(!Self.putsTextTogether(file.text), "\(file.name)")
        }
        let paths = Sources.paths(below: "Sources/RoostAuth")
        #expect(paths.count > 20)
        for path in paths {
            let text = Readme.contents(path)
            #expect(!Self.putsTextTogether(text), "\(path)")
            // Nor is a text of an error passed on, which may have been put together before.
            let passedOn = #/HTTPError\(\s*\.[^()]*\b(?:message|description)\b/#
            #expect(text.firstMatch(of: passedOn) == nil, "\(path)")
        }
    }

    private static func putsTextTogether(_ text: String) -> Bool {
        let lines = text.split(separator: "\n").filter { !$0.contains("///") }.joined(separator: " ")
        let pattern = #/HTTPError\(\s*\.[\w.]+,\s*"[^"]*\\\((?!error\))/#
        return lines.firstMatch(of: pattern) != nil
    }
}
