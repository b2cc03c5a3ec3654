import Engines
import Roost
import RoostSQL
import RoostTesting
import Testing

/// Days and times of day in both engines.
@Suite("Days and times in a database", .quietLog, .timeLimit(.minutes(5)))
struct CalendarTests {
    private struct Visit: Codable, Equatable {
        let day: LocalDate
        let start: LocalDateTime
        let end: LocalDateTime?
    }

    @Test(arguments: Engine.allCases)
    func `a day and a time are stored, compared and read`(engine: Engine) async throws {
        try await engine.run { databases in
            let database = databases[0]
            try await database.execute("CREATE TABLE visits (day DATE, start TIMESTAMP, \"end\" TIMESTAMP)")
            let day = try #require(LocalDate("2026-11-26"))
            let visit = Visit(day: day, start: try #require(LocalDateTime(day, hour: 9, minute: 30)), end: nil)
            try await database.execute(
                "INSERT INTO visits VALUES (\(visit.day), \(visit.start), \(visit.end))")
            let first = try await database.first(
                "SELECT * FROM visits WHERE day >= \(day) AND day < \(day.adding(days: 1))", as: Visit.self)
            #expect(first == visit)
            #expect(try await database.first("SELECT day FROM visits", as: LocalDate.self) == day)
        }
    }
}
