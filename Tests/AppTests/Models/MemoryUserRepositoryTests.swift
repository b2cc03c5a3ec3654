import Testing

@testable import App

@Suite("Users in memory", .timeLimit(.minutes(5)))
struct MemoryUserRepositoryTests {
    @Test func `a full repository refuses`() throws {
        let users = MemoryUserRepository(capacity: 3)
        _ = try users.add(UserName("Ada"))
        #expect(throws: RepositoryFull.self) { try users.add(UserName("Bo")) }
    }
}
