import Roost
import RoostTesting
import Testing

/// The page about live pages: its programs are compiled in LiveSites.swift, and used here.
@Suite(.timeLimit(.minutes(5)))
struct `The page about live pages` {
    private func client() throws -> TestClient {
        let templates = try Templates(sources: liveTemplates)
        return TestClient(
            try Application(templates: templates) { routes in
                routes.add(try Chirps(templates: templates))
                routes.add(Poll())
            })
    }

    @Test func `a message reaches everybody`() async throws {
        let client = try client()
        let page = try await client.live("/chat")
        _ = try await client.post("/chat", form: Form([("text", "Hello, <owl>!")]))
        try await page.next()
        #expect(page.text(of: "messages") == "Hello, <owl>!")
        #expect(page.news == ["Hello, <owl>!"])
    }

    @Test func `a message looks the same wherever it comes from`() throws {
        let message = Chirp(id: 7, text: "Hello")
        try Templates(sources: liveTemplates)
            .check(View("message", message), in: View("chat", ChirpsPage(messages: [message])))
    }

    @Test func `votes are counted before everybody's eyes`() async throws {
        let client = try client()
        let page = try await client.live("/poll")
        _ = try await client.post("/poll/wren")
        try await page.next()
        #expect(page.text(of: "votes")?.contains("wren: 1") ?? false)
        #expect(try await client.post("/poll/cat").status == .notFound)
    }

    @Test func `its programs are compiled`() {
        let programs = Readme.programs(
            of: "docs/live.md", missingIn: ["LivePages/LiveSites", "LivePages/LivePageDocTests"])
        #expect(programs.count == 4)
        #expect(programs.missing == [])
        let markup = Readme.contents("docs/live.md").components(between: "```mustache\n", and: "```")
        #expect(markup.count == 3)
        for block in markup {
            let text = block.trimmingSpace
            #expect(liveTemplates.values.contains { $0.contains(text) }, "\(block)")
        }
    }
}

extension String {
    /// The text without line breaks around it.
    fileprivate var trimmingSpace: String {
        String(drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed())
    }
}
