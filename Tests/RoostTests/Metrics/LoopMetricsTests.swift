import Testing

@testable import Roost

/// The seconds of a loop, at times that the tests choose.
@Suite("Metrics of a loop", .timeLimit(.minutes(5)))
struct LoopMetricsTests {
    /// The delay that is told after each tick, in milliseconds.
    /// - Parameter ticks: The times of the ticks, in milliseconds.
    private func delays(_ ticks: UInt64...) -> [Int?] {
        let metrics = PrometheusMetrics()
        let loop = LoopMetrics(metrics, loop: 3)
        return ticks.map { time in
            loop.tick([:], at: time * 1_000_000)
            let delay = metrics.values(of: "roost_event_loop_lag_seconds")[[("loop", "3")]]
            return delay.map { Int(($0 * 1000).rounded()) }
        }
    }

    @Test func `each tick that is late is told, though all are`() {
        #expect(delays(1000, 2400, 3400, 4400) == [0, 400, 400, 400])
        #expect(delays(1000, 2400, 3100, 4000) == [0, 400, 100, 0])
    }

    @Test func `after a second that was missed, the next is counted from then on`() {
        #expect(delays(1000, 3500, 4500, 5600) == [0, 1500, 0, 100])
        #expect(delays(1000, 3000, 4000) == [0, 1000, 0])
    }

    @Test func `a tick that is early shows that those before it were late`() {
        #expect(delays(1000, 1900, 2900, 3950) == [0, 0, 0, 50])
    }
}
