import Testing

@testable import Roost

@Suite("The times of a job", .timeLimit(.minutes(5)))
struct PeriodicScheduleTests {
    @Test func `they are multiples of the interval, whatever a run takes`() {
        var schedule = PeriodicSchedule(every: .seconds(60))
        var due = [schedule.due]
        for now in [60.0, 120.4, 181, 239.999, 300] {
            schedule.advance(now: .seconds(now))
            due.append(schedule.due)
        }
        // A clock that wakes too early runs the job once for each time all the same.
        #expect(due == [60, 120, 180, 240, 300, 360].map { .seconds($0) })
    }

    @Test func `those that pass during a run are left out`() {
        var schedule = PeriodicSchedule(every: .seconds(60), runsAtStart: true)
        #expect(schedule.due == .zero)
        schedule.advance(now: .seconds(200))
        #expect(schedule.due == .seconds(240))
        schedule.advance(now: .seconds(300))
        #expect(schedule.due == .seconds(360))
    }

    @Test func `a year of short intervals is exact`() {
        var schedule = PeriodicSchedule(every: .milliseconds(7), runsAtStart: true)
        schedule.advance(now: .seconds(31_536_000) + .nanoseconds(1))
        #expect(schedule.due == .milliseconds(31_536_000_000 / 7 * 7 + 7))
    }
}
