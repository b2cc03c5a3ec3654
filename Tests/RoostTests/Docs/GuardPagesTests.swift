import FoundationEssentials
import Roost
import RoostTesting
import Testing

/// The pages about protection, proxies and tests: their programs are compiled in GuardSites.swift, and used here.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `The pages about protection, proxies and tests` {
    @Test(arguments: [("protection", 2), ("proxies", 1), ("testing", 3)])
    func `their programs are compiled`(page: String, count: Int) {
        let sources = ["GuardSites", "GuardPagesTests"].map { Readme.contents("Tests/RoostTests/Docs/\($0).swift") }
        let blocks = Readme.contents("docs/\(page).md").components(between: "```swift\n", and: "```")
        #expect(blocks.count == count)
        for block in blocks {
            let indented = block.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
            #expect(sources.contains { $0.contains(block) || $0.contains(indented) }, "\(block)")
        }
    }

    @Test(.quietLog, arguments: TestClient.Transport.allCases)
    func `a note is added and shown`(transport: TestClient.Transport) async throws {
        let client = TestClient(try makeNotes(), over: transport)
        let browser: Headers = [.accept: "text/html"]
        let form: Form = ["text": "Mend the roof"]
        let shown = try await client.post("/notes", form: form, headers: browser, followsRedirects: true)
        #expect(shown.status == .ok)
        #expect(shown.text == "Mend the roof")
        let note = try await client.get("/notes/1", headers: [.accept: "application/json"]).json(Note.self)
        #expect(note == Note(text: "Mend the roof"))
        let parts: [FormPart] = [.field("to", "attic"), .file("plan", "plan.txt", [65])]
        let uploaded = try await client.post("/files", multipart: parts)
        #expect(uploaded.text.hasPrefix("multipart/form-data"))
        try await client.stop()
    }

    @Test func `a theme is forgotten after a day`() async throws {
        let clock = TestClock()
        let client = TestClient(try withClock(clock) { try makeThemes() })
        _ = try await client.post("/theme", form: ["theme": "dusk"])
        #expect(try await client.get("/theme").text == "dusk")
        clock.advance(by: .hours(24))
        #expect(try await client.get("/theme").text == "dawn")
    }

    @Test func `a clock says its date`() {
        let clock = TestClock(at: Date(timeIntervalSince1970: 1_795_647_600))
        let time = withClock(clock) { TimeSource.current }
        clock.advance(by: .hours(24))
        #expect(time.now == Date(timeIntervalSince1970: 1_795_734_000))
    }

    private static func key(_ value: String) -> Headers {
        var headers: Headers = [:]
        headers["X-API-Key"] = value
        return headers
    }

    @Test func `the shop limits rates, refuses other hosts, and keeps keys apart`() async throws {
        let client = TestClient(try makeShop())
        // The limit's clock runs, so on a slow machine it takes a few more requests than the burst.
        var statuses: [HTTPResponse.Status] = []
        while statuses.last != .tooManyRequests, statuses.count < 1000 {
            statuses.append(try await client.get("/api/offers").status)
        }
        #expect(statuses.count > 20 && statuses.dropLast().allSatisfy { $0 == .ok })
        #expect(statuses.last == .tooManyRequests)
        for _ in 0..<5 { _ = try await client.get("/reports/sales", headers: Self.key("a")) }
        #expect(try await client.get("/reports/sales", headers: Self.key("a")).status == .tooManyRequests)
        #expect(try await client.get("/reports/sales", headers: Self.key("b")).status == .ok)
        let elsewhere = TestClient(try makeShop(), host: "rebound.example")
        #expect(try await elsewhere.get("/api/offers").status == .misdirectedRequest)
    }

    @Test func `the manual sends its pages and its style`() async throws {
        let folder = try FilesOnDisk()
        for name in ["public", "Templates", "pages"] { folder.folder(name) }
        folder.write("public/style.css", "a {}", modified: 1)
        folder.write("Templates/start.mustache", "{{title}} {{asset(\"style.css\")}}", modified: 1)
        folder.write("pages/one.txt", "one", modified: 1)
        let client = TestClient(try makeManual(in: folder.path))
        #expect(try await client.get("/").text == "Manual /style.css")
        #expect(try await client.get("/pages/one.txt").text == "one")
        #expect(try await client.get("/pages/..%2Fpublic%2Fstyle.css").status == .notFound)
        #expect(try await client.get("/style.css").text == "a {}")
    }

    @Test func `an address is the client's`() throws {
        #expect(address(try Request(.get, "/")) == "http://localhost/feed, for 127.0.0.1")
    }
}
