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
}
