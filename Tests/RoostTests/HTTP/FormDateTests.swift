import FoundationEssentials
import RoostTesting
import Testing

@testable import Roost

@Suite("WHATWG HTML §2.3.5: dates in forms and queries", .timeLimit(.minutes(5)))
struct FormDateTests {
    @Test(arguments: [
        ("2026-01-31", 1_769_817_600.0), ("2024-02-29", 1_709_164_800), ("1970-01-01", 0), ("1969-12-31", -86_400),
        ("2026-01-31T12:30", 1_769_862_600), ("2026-01-31 12:30", 1_769_862_600),
        ("2026-01-31T12:30:15", 1_769_862_615), ("2026-01-31T12:30:15.5", 1_769_862_615.5),
        ("2026-01-31T12:30:15.25", 1_769_862_615.25), ("2026-01-31T12:30:15.125", 1_769_862_615.125),
        ("2026-01-31T00:00", 1_769_817_600), ("2026-01-31T23:59:59.999", 1_769_903_999.999),
        ("9999-12-31", 253_402_214_400),
    ])
    func `the value of an input without a time zone is taken as UTC`(text: String, seconds: Double) {
        #expect(DateTime.parse(input: text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        ("2026-01-31T12:00:00Z", 1_769_860_800.0), ("2026-01-31T12:00:00+01:00", 1_769_857_200),
        ("2026-01-31T12:00:00.5Z", 1_769_860_800.5),
    ])
    func `a date and time with a zone is read as JSON reads it`(text: String, seconds: Double) throws {
        #expect(DateTime.parse(input: text)?.timeIntervalSince1970 == seconds)
        let inJSON = try JSONCoder().decode([Date].self, from: Array("[\"\(text)\"]".utf8))
        #expect(inJSON.map(\.timeIntervalSince1970) == [seconds])
    }

    @Test(arguments: [
        "", " ", "x", "2026", "2026-01", "2026-1-1", "26-01-01", "0000-01-01", "2026-00-01", "2026-13-01", "2026-01-00",
        "2026-01-32", "2026-02-29", "1900-02-29", "2026-04-31", "2026/01/01", "2026-01-01T", "2026-01-01T1:00",
        "2026-01-01T24:00", "2026-01-01T12:60", "2026-01-01T12:00:60", "2026-01-01T12:00:", "2026-01-01T12:00:00.",
        "2026-01-01T12:00:00.1234", "2026-01-01X12:00", "2026-01-01T12:00 ", " 2026-01-01", "2026-W01", "12:30",
        "\u{662}026-01-01", "1769817600", "2026-01-01\u{301}", "2026-01-0:", "2026-01-01T12:0:",
        "2026-01-01T12:00:00.:", "2027-02-30T09:00:00Z", "2026-04-31T09:00:00+01:00", "2026-01-01T24:00:00Z",
        "2026-01-01T24:61:00Z", "2026-01-01T12:00:60Z", "2026-12-1T9:0:0Z", "2026-1-01T09:00:00Z",
        "2026-01-01T09:00:00+24:00", "2026-01-01T09:00:00+01:60", "2026-01-01T09:00:00+1:00", "2026-01-01T09:00Z",
        "2026-01-01T09:00:00+0100", "2026-01-01T09:00:00ZZ", "2026-01-01T09:00:00.Z", "2026-01-01T09:00:00,5Z",
        "2026-01-01T09:00:00 Z", "20260101T090000Z", "+2026-01-01T09:00:00Z", "2026-01-01T09:00:00-",
        "2026-W05-6T09:00:00Z", "2026-031T09:00:00Z",
    ])
    func `any other text is not a value`(text: String) {
        #expect(DateTime.parse(input: text) == nil)
    }

    private struct Event: Decodable {
        var when: Date
        var until: Date?
        var reminders: [Date]
    }

    private static func text(_ event: Event) -> String {
        let dates = [event.when, event.until].compactMap { $0 } + event.reminders
        return dates.map { "\(Int($0.timeIntervalSince1970))" }.joined(separator: " ")
    }

    private static func client() throws -> TestClient {
        try TestClient(middleware: [ErrorPages(logger: LogLines().logger)]) { routes in
            routes.post(Path("/")) { request in Self.text(try request.decode(Event.self)) }
            routes.get(Path("/")) { request in Self.text(try request.decodeQuery(Event.self)) }
        }
    }

    @Test func `an input type has dates, optional dates and lists of them`() async throws {
        let client = try Self.client()
        let form: Form = [
            "when": "2026-01-31", "until": "", "reminders": "1970-01-01T00:01",
            "reminders": "1970-01-01T01:00:00+01:00",
        ]
        #expect(try await client.post("/", form: form).text == "1769817600 60 0")
        #expect(try await client.get("/?" + form.urlEncoded).text == "1769817600 60 0")
        let json = #"{"when":"2026-01-31T00:00:00Z","reminders":[]}"#
        let response = try await client.request(
            .post, "/", headers: [.contentType: "application/json"], body: Array(json.utf8))
        #expect(response.text == "1769817600")
    }

    @Test func `an invalid date is reported with its field`() async throws {
        let client = try Self.client()
        let form = try await client.post("/", form: ["when": "tomorrow"])
        #expect(form.status == .unprocessableContent)
        #expect(form.text.contains(##""pointer":"#/when""##))
        #expect(form.text.contains("Must be a date like 2026-01-31 or 2026-01-31T12:00:00Z."))
        let query = try await client.get("/?when=tomorrow")
        #expect(query.status == .badRequest)
        #expect(query.text.contains("when: Must be a date"))
        #expect(try await client.get("/").status == .badRequest)
    }

    private static func request(_ json: String) throws -> Request {
        try Request(.post, "/", headers: [.contentType: "application/json"], body: Body(Array(json.utf8)))
    }

    @Test(arguments: [
        "9999-12-31T23:59:59.99999Z", "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.9999999Z",
        "9999-12-31T23:59:59.999999999Z",
    ])
    func `what programs write for a time without end is the last one that databases have`(text: String) throws {
        let typed = try #require(DateTime.parse(input: text))
        let sent = try Self.request("[\"\(text)\"]").decode([Date].self)
        #expect(DateTime.timestamp(typed) == "9999-12-31 23:59:59.999999Z")
        #expect(sent == [typed])
    }

    @Test(arguments: ["0000-06-01T00:00:00Z", "0000-12-31T23:59:59.999Z", "0001-01-01T00:00:00+05:00"])
    func `a time before the year 1, which databases do not have, is refused`(text: String) async throws {
        let client = try Self.client()
        let form: Form = ["when": text]
        let submitted = try await client.post("/", form: form)
        #expect(submitted.status == .unprocessableContent)
        #expect(submitted.text.contains("Must be a date like 2026-01-31 or 2026-01-31T12:00:00Z."))
        #expect(try await client.get("/?" + form.urlEncoded).status == .badRequest)
        let error = #expect(throws: HTTPError.self) {
            try Self.request("{\"when\":\"\(text)\",\"reminders\":7}").decode(Event.self)
        }
        #expect(
            error?.parts == [
                .init("/when", "Expected a date and time like 2026-01-31T12:00:00Z."),
                .init("/reminders", "Expected an array, not a number."),
            ])
    }

    @Test(arguments: [
        (JSONCoder.Dates.secondsSince1970, "1e300"), (.secondsSince1970, "253402300800"),
        (.secondsSince1970, "-62135596801"), (.millisecondsSince1970, "1e300"),
        (.millisecondsSince1970, "253402300800000"), (.millisecondsSince1970, "-62135596800001"),
    ])
    func `a client's number outside of the years that databases have is out of range`(
        dates: JSONCoder.Dates, number: String
    ) throws {
        let coder = JSONCoder(dates: dates)
        let error = #expect(throws: HTTPError.self) {
            try Self.request("{\"when\":\(number),\"reminders\":[]}").decode(Event.self, using: coder)
        }
        #expect(error?.parts == [.init("/when", JSONDecodingError.outOfRange)])
        let event = try Self.request(#"{"when":-62135596800,"reminders":[1.5]}"#).decode(Event.self, using: coder)
        #expect(event.reminders == [Date(timeIntervalSince1970: dates == .secondsSince1970 ? 1.5 : 0.0015)])
    }
}
