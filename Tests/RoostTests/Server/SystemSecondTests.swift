import Testing

@testable import Roost

@Suite("Seconds of the system's clock", .timeLimit(.minutes(5)))
struct SystemSecondTests {
    @Test(arguments: [(0, 6, 1000), (1, 6, 999), (300, 6, 700), (899, 6, 101)])
    func `the next tick comes when the next second begins`(milliseconds: Int, number: Int, rest: Int) {
        let second = Worker.second(at: .seconds(6) + .milliseconds(milliseconds))
        #expect(second.number == number && second.rest == .milliseconds(rest))
    }

    /// Otherwise the same second would come twice, and those who wait would have less time.
    @Test(arguments: [900, 990, 999])
    func `a tick that is a little early is that of the next second`(milliseconds: Int) {
        let second = Worker.second(at: .seconds(5) + .milliseconds(milliseconds))
        #expect(second.number == 6 && second.rest == .milliseconds(2000 - milliseconds))
    }
}
