import FoundationEssentials
import Roost

// The programs of docs/time.md.

struct VisitInput: Decodable, Validatable {
    var start: LocalDateTime
    var zone: String

    func validate(_ check: inout Validation) {
        check.that("zone", ZoneInfo(zone) != nil, "Choose a time zone.")
    }
}

struct Visit: Encodable {
    let start: Date
    let shown: LocalDateTime
    let zone: String
}

struct VisitController: Controller {
    static let visits = Path("/visits")

    func routes(_ routes: Routes) {
        routes.post(Self.visits) { request in
            let input = try request.decode(VisitInput.self)
            let zone = ZoneInfo(input.zone) ?? .utc
            let start = zone.date(of: input.start)
            return JSON(Visit(start: start, shown: zone.localTime(at: start), zone: zone.abbreviation(at: start)))
        }
    }
}

extension VisitInput {
    /// The day of the visit and the six after it; fewer at the end of the year 9999.
    var week: [LocalDate] { (0..<7).compactMap { start.date.adding(days: $0) } }

    /// Whether the visit begins tomorrow, as the day is where the visitor is.
    func isTomorrow(_ request: Request) -> Bool { start.date == request.today.adding(days: 1) }
}

func makeDiary(_ zone: ZoneInfo) throws -> Application {
    try Application(
        templates: Templates(sources: ["visit": "<p>Until {{dateTime .}}</p>"]),
        middleware: [TimeZones(zone, cookie: "time_zone")] + Application.standardMiddleware()
    ) { routes in
        routes.get(Path("/visit")) { _ in View("visit", Date(timeIntervalSince1970: 1_795_647_600)) }
    }
}
