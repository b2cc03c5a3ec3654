import Testing

@testable import App

@Suite("Users in memory")
struct MemoryUserRepositoryTests {
    @Test func `ids count on`() throws {
        let users = MemoryUserRepository()
        #expect(try users.add(UserName("Ada")) == User(id: 3, name: "Ada"))
        #expect(users.user(3)?.name == "Ada")
        #expect(users.user(4) == nil)
        #expect(users.user(.min) == nil)
    }

    @Test func `a full repository refuses`() throws {
        let users = MemoryUserRepository(capacity: 3)
        _ = try users.add(UserName("Ada"))
        #expect(throws: RepositoryFull.self) { try users.add(UserName("Bo")) }
    }

    @Test func `many may add at once`() async throws {
        let users = MemoryUserRepository([])
        await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { _ = try users.add(UserName("x")) } }
        }
        #expect(users.all().map(\.id) == Array(1...100))
    }
}
