import Testing

@testable import RoostAuth

@Suite("The limits for guessing passwords", .timeLimit(.minutes(5)))
struct ThrottleLimitsTests {
    @Test func `no limits trap`() {
        for count in [Int.min, -17, 0, .max] {
            for time in [Duration.seconds(Int64.min), .zero, .milliseconds(1), .seconds(Int64.max)] {
                var limits = ThrottleLimits()
                (limits.failuresPerAddress, limits.failuresPerAccount) = (count, count)
                (limits.longestDelay, limits.accountSpacing, limits.window) = (time, time, time)
                for rule in [limits.address, limits.account] {
                    #expect(rule.maximumCount >= 16)
                    #expect(rule.delay(after: .max) >= 0)
                }
            }
        }
    }

    @Test func `one known device may use up its own limit, also if that is more than a home's`() async throws {
        var limits = ThrottleLimits()
        limits.failuresPerAccountAndAddress = 20
        let time = Time()
        let throttle = time { [limits] in Throttle(limits: limits) }
        func mayBegin() async throws -> Bool {
            let verdict = try await throttle.begin(account: "ann", network: "192.0.2.1", device: "1")
            if case .allowed = verdict { return true }
            return false
        }
        for _ in 0..<20 { #expect(try await mayBegin()) }
        #expect(try await !mayBegin())
    }
}
