import FoundationEssentials
import Roost
import RoostTesting
import Testing

@Suite("Time zones of requests", .quietLog, .timeLimit(.minutes(5)))
struct TimeZonesTests {
    private static func client(_ more: [any Middleware] = [], cookie: String? = "zone") throws -> TestClient {
        let berlin = try #require(ZoneInfo("Europe/Berlin"))
        let templates = try Templates(sources: ["main": "{{dateTime .}}"])
        return TestClient(
            try Application(templates: templates, middleware: [TimeZones(berlin, cookie: cookie)] + more) { routes in
                routes.get(Path("/")) { _ in View("main", Date(timeIntervalSince1970: 0)) }
                routes.get(Path("/zone")) { "\($0.timeZone) \($0.messages.timeZone) \($0.messages.language)" }
            })
    }

    @Test(arguments: [
        (nil, "Jan 1, 1970, 1:00 AM"), ("Asia/Tokyo", "Jan 1, 1970, 9:00 AM"), ("UTC", "Jan 1, 1970, 12:00 AM"),
        ("Nowhere/At_all", "Jan 1, 1970, 1:00 AM"), ("../zoneinfo/Asia/Tokyo", "Jan 1, 1970, 1:00 AM"),
        ("", "Jan 1, 1970, 1:00 AM"),
    ])
    func `a page shows moments in that of the cookie, or of the application`(zone: String?, text: String) async throws {
        let response = try await Self.client().get("/", headers: zone.map { [.cookie: "zone=\($0)"] } ?? [:])
        #expect(response.text == text)
        #expect(response.headers[values: .vary].joined().lowercased().contains("cookie"))
    }

    @Test func `neither a file nor its 304 depends on it`() async throws {
        let folder = try FilesOnDisk()
        folder.write("a.css", "a", modified: 1)
        let files = try StaticFiles(folder.path)
        let languages = Languages([.english, MessageTable("de")])
        let zones = TimeZones(try #require(ZoneInfo("Europe/Berlin")))
        let client = TestClient(
            try Application(middleware: [languages, zones]) { $0.fallback(files) })
        let response = try await client.get("/a.css")
        let tag = try #require(response.headers[.eTag])
        let fresh = try await client.get("/a.css", headers: [.ifNoneMatch: tag])
        #expect(fresh.status == .notModified)
        #expect(fresh.headers[.vary] == response.headers[.vary])
    }

    @Test func `nor does a compressed file, but an error in its place does`() async throws {
        struct Failing: Filter {
            func after(_ response: inout Response, to request: Request) throws {
                if request.query["fails"] != nil { throw HTTPError(.conflict) }
            }
        }
        let folder = try FilesOnDisk()
        folder.write("a.css", String(repeating: "a { color: red } ", count: 120), modified: 1)
        let files = try StaticFiles(folder.path)
        let languages = Languages([.english, MessageTable("de")], cookie: "language")
        let zones = TimeZones(try #require(ZoneInfo("Europe/Berlin")), cookie: "zone")
        let middleware: [any Middleware] = [
            languages, zones, ErrorPages(logger: LogLines().logger), Failing(), Compression(),
        ]
        let client = TestClient(try Application(middleware: middleware) { $0.fallback(files) })
        var headers: Headers = [.acceptEncoding: "gzip"]
        let response = try await client.get("/a.css", headers: headers)
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(response.headers[values: .vary] == ["Accept-Encoding"])
        var failures = [try await client.get("/a.css?fails", headers: headers)]
        headers[.ifNoneMatch] = response.headers[.eTag]
        let fresh = try await client.get("/a.css", headers: headers)
        #expect(fresh.status == .notModified && fresh.headers[values: .vary] == ["Accept-Encoding"])
        failures.append(try await client.get("/a.css?fails", headers: headers))
        for failure in failures {
            #expect(failure.status == .conflict && failure.headers[.contentLanguage] == "en")
            let vary = failure.headers[values: .vary].joined(separator: ", ").lowercased()
            #expect(vary.contains("accept-language") && vary.contains("cookie"), "\(vary)")
        }
    }

    @Test func `without a cookie's name, none counts`() async throws {
        let response = try await Self.client(cookie: nil).get("/zone", headers: [.cookie: "zone=Asia/Tokyo"])
        #expect(response.text == "Europe/Berlin Europe/Berlin en")
        #expect(!response.headers[values: .vary].joined().lowercased().contains("cookie"))
    }

    @Test func `an application sets that of an account, and its language beside it`() async throws {
        struct Accounts: Filter {
            func before(_ request: inout Request) -> Response? {
                request.timeZone = ZoneInfo("America/New_York") ?? .utc
                request.messages = MessageTable("de")
                return nil
            }
        }
        #expect(try await Self.client([Accounts()]).get("/").text == "31.12.1969, 19:00")
        #expect(try await Self.client([Accounts()]).get("/zone").text == "America/New_York America/New_York de")
    }

    @Test func `the time zone of a table counts where the request has none`() throws {
        let (berlin, tokyo) = try (#require(ZoneInfo("Europe/Berlin")), #require(ZoneInfo("Asia/Tokyo")))
        var request = try Request(.get, "/")
        request.messages = MessageTable("de").in(berlin)
        #expect(request.timeZone == berlin && request.messages.timeZone == berlin)
        request.timeZone = tokyo
        #expect(request.timeZone == tokyo && request.messages.timeZone == tokyo && request.messages.language == "de")
    }

    @Test func `without the middleware it is UTC`() async throws {
        let client = TestClient(try Application { $0.get(Path("/")) { $0.timeZone.name } })
        #expect(try await client.get("/").text == "UTC")
    }

    @Test func `today is the day of the time zone, by the clock of the application`() async throws {
        struct Accounts: Filter {
            func before(_ request: inout Request) -> Response? {
                if request.query["account"] != nil { request.timeZone = ZoneInfo("Pacific/Kiritimati") ?? .utc }
                return nil
            }
        }
        let clock = TestClock()
        let (client, time) = try withClock(clock) {
            let zone = try #require(ZoneInfo("Pacific/Midway"))
            let application = try Application(middleware: [TimeZones(zone, cookie: "zone"), Accounts()]) { routes in
                routes.get(Path("/today")) { $0.today.description }
            }
            return (TestClient(application), TimeSource.current)
        }
        clock.advance(by: .hours(24 * 40))
        for (zone, path) in [
            ("Pacific/Midway", "/today"), ("Pacific/Kiritimati", "/today?account=1"), ("Asia/Tokyo", "/today"),
        ] {
            let day = try #require(ZoneInfo(zone)).localTime(at: time.now).date.description
            let headers: Headers = zone == "Asia/Tokyo" ? [.cookie: "zone=Asia/Tokyo"] : [:]
            #expect(try await client.get(path, headers: headers).text == day)
        }
    }

    @Test func `a request by itself has a day, too`() throws {
        let now = TimeSource.current.now
        let days = [now, now.addingTimeInterval(60)].map { ZoneInfo.utc.localTime(at: $0).date }
        #expect(days.contains(try Request(.get, "/").today))
    }
}
