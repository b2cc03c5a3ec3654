import FoundationEssentials
import Roost
import RoostTesting
import Testing

/// The page about time: its program is compiled in TimeSite.swift, and used here.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `The page about time` {
    private func post(_ form: Form) async throws -> WireClient.Response {
        let client = TestClient(try Application { $0.add(VisitController()) })
        return try await client.post("/visits", form: form)
    }

    @Test(arguments: [
        ("2026-07-01T09:30", #"{"start":"2026-07-01T07:30:00Z","shown":"2026-07-01T09:30","zone":"CEST"}"#),
        ("2026-03-29T02:30", #"{"start":"2026-03-29T01:30:00Z","shown":"2026-03-29T03:30","zone":"CEST"}"#),
        ("2026-10-25T02:30", #"{"start":"2026-10-25T00:30:00Z","shown":"2026-10-25T02:30","zone":"CEST"}"#),
    ])
    func `a time is a moment in its zone`(start: String, visit: String) async throws {
        #expect(try await post(["start": start, "zone": "Europe/Berlin"]).text == visit)
    }

    @Test func `a mistake in each field is said`() async throws {
        let refused = try await post(["start": "tomorrow", "zone": "../Berlin"])
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("Must be a date and time like 2026-01-31T12:00."))
        #expect(refused.text.contains("Choose a time zone."))
    }

    @Test func `a page shows moments in the visitor's time zone`() async throws {
        let client = TestClient(try makeDiary(try #require(ZoneInfo("Europe/Berlin"))))
        #expect(try await client.get("/visit").text == "<p>Until Nov 26, 2026, 12:00 AM</p>")
        let cookie: Headers = [.cookie: "time_zone=America/New_York"]
        #expect(try await client.get("/visit", headers: cookie).text == "<p>Until Nov 25, 2026, 6:00 PM</p>")
    }

    @Test func `days are counted to the last one`() throws {
        func visit(_ text: String) throws -> VisitInput {
            VisitInput(start: try #require(LocalDateTime(text)), zone: "UTC")
        }
        #expect(try visit("2026-12-30T09:30").week.map { "\($0)" }.suffix(2) == ["2027-01-04", "2027-01-05"])
        #expect(try visit("9999-12-30T09:30").week.map(\.day) == [30, 31])
        let (request, evening) = (try Request(.get, "/"), Date(timeIntervalSince1970: 1_795_647_600))
        let visits = try [visit("2026-11-25T09:30"), visit("2026-11-26T09:30")]
        let areTomorrow = withClock(TestClock(at: evening)) { visits.map { $0.isTomorrow(request) } }
        #expect(areTomorrow == [false, true])
    }

    @Test func `the page shows the program`() throws {
        let programs = Readme.programs(of: "docs/time.md", missingIn: ["Docs/TimeSite"])
        #expect(programs.missing == [] && programs.count == 3)
    }
}
