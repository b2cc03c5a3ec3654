import Testing

@testable import Roost

@Suite("A budget of memory", .timeLimit(.minutes(5)))
struct MemoryBudgetTests {
    @Test func `nobody gets more than is then left for others`() {
        let budget = MemoryBudget(100)
        #expect(budget.hasRoom(for: 50, of: 50))
        #expect(!budget.hasRoom(for: 51, of: 51))
        let large = MemoryLease(60, of: budget)
        #expect(budget.hasRoom(for: 20, of: 20))
        #expect(!budget.hasRoom(for: 21, of: 21))
        #expect(!budget.hasRoom(for: 1, of: 61))
        withExtendedLifetime(large) {}
        let beyond = MemoryLease(60, of: budget)
        #expect(!budget.hasRoom(for: 0, of: 1))
        withExtendedLifetime(beyond) {}
    }

    @Test func `what is taken is given back with the last reference`() throws {
        let budget = MemoryBudget(100)
        var lease: MemoryLease? = MemoryLease(10, of: budget)
        try lease?.grow(by: 20)
        #expect(budget.count == 30)
        let error = #expect(throws: HTTPError.self) { try lease?.grow(by: 21) }
        #expect(error?.status == .serviceUnavailable)
        #expect(error?.headers[.retryAfter] == "1")
        #expect(budget.count == 30)
        lease = nil
        #expect(budget.count == 0)
    }
}
