import Testing

@testable import Roost

@Suite("How many refusals are logged", .timeLimit(.minutes(5)))
struct RefusalRateTests {
    @Test func `ten a second are logged, and the others are counted`() {
        var log = RefusalLog()
        let admitted = (0..<25).map { _ in log.admit() }.count { $0 }
        let withheld = [log.takeWithheld(), log.takeWithheld()]
        #expect(admitted == RefusalLog.limit)
        #expect(withheld == [15, 0])
        let isAdmitted = log.admit()
        #expect(isAdmitted)
    }
}
