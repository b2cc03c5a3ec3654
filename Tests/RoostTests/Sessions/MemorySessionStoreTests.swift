import Roost
import RoostTesting
import Testing

@Suite("Sessions in memory", .timeLimit(.minutes(5)))
struct MemorySessionStoreTests {
    private static func store(_ clock: TestClock, maximumCount: Int = 10) -> MemorySessionStore {
        withClock(clock) {
            MemorySessionStore(idleTimeout: .seconds(10), lifetime: .seconds(25), maximumCount: maximumCount)
        }
    }

    @Test func `a session ends when nobody has used it for a while`() {
        let clock = TestClock()
        let store = Self.store(clock)
        store.save(["a": "1"], for: "t")
        clock.advance(by: .seconds(9))
        #expect(store.values(for: "t") == ["a": "1"])
        clock.advance(by: .seconds(9))
        #expect(store.values(for: "t") == ["a": "1"])
        clock.advance(by: .seconds(10))
        #expect(store.values(for: "t") == nil)
        #expect(store.count == 0)
    }

    @Test func `a session ends when it is old, however much it is used and changed`() {
        let clock = TestClock()
        let store = Self.store(clock)
        store.save(["a": "1"], for: "t")
        for _ in 0..<4 {
            clock.advance(by: .seconds(6))
            #expect(store.values(for: "t") != nil)
            store.update(["a": "2"], for: "t")
        }
        clock.advance(by: .seconds(1))
        #expect(store.values(for: "t") == nil)
    }

    @Test func `an unknown token stays unknown`() {
        let store = Self.store(TestClock())
        store.update(["a": "1"], for: "t")
        #expect(store.values(for: "t") == nil)
        store.remove("t")
        #expect(store.count == 0)
    }

    @Test func `a full store drops the sessions not used for longest`() {
        let clock = TestClock()
        let store = Self.store(clock)
        for number in 0..<10 {
            store.save([:], for: "t\(number)")
            clock.advance(by: .seconds(number == 9 ? 0 : 1))
        }
        #expect(store.values(for: "t0") == [:])
        store.save([:], for: "t10")
        #expect(store.count == 10)
        #expect(store.values(for: "t0") == [:])
        #expect(store.values(for: "t1") == nil)
        #expect(store.values(for: "t10") == [:])
    }

    @Test func `a full store drops expired sessions first`() {
        let clock = TestClock()
        let store = Self.store(clock)
        for number in 0..<5 { store.save([:], for: "old\(number)") }
        clock.advance(by: .seconds(8))
        for number in 0..<5 { store.save([:], for: "new\(number)") }
        clock.advance(by: .seconds(2))
        store.save([:], for: "last")
        #expect(store.count == 6)
        for number in 0..<5 { #expect(store.values(for: "new\(number)") == [:]) }
    }

    @Test func `a full store drops sessions of the address that has most`() {
        let clock = TestClock()
        let store = Self.store(clock, maximumCount: 10)
        for number in 0..<3 { store.save([Session.addressKey: "192.0.2.\(number)"], for: "other\(number)") }
        for number in 0..<100 {
            store.save([Session.addressKey: "198.51.100.1"], for: "greedy\(number)")
            #expect(store.count <= 10)
        }
        for number in 0..<3 { #expect(store.values(for: "other\(number)") != nil) }
        #expect(store.values(for: "greedy99") != nil)
        #expect((0..<100).count { store.values(for: "greedy\($0)") != nil } <= 7)
    }

    @Test func `a flood of sessions without an address ends no other`() {
        let store = Self.store(TestClock(), maximumCount: 10)
        for number in 0..<3 { store.save([Session.addressKey: "192.0.2.1"], for: "office\(number)") }
        for number in 0..<100 { store.save([:], for: "cart\(number)") }
        for number in 0..<3 { #expect(store.values(for: "office\(number)") != nil) }
        #expect(store.values(for: "cart99") != nil && store.count <= 10)
    }

    @Test func `it never holds more than it may`() {
        let store = Self.store(TestClock(), maximumCount: 100)
        for number in 0..<1000 {
            store.save([:], for: "\(number)")
            #expect(store.count <= 100)
        }
    }

    @Test func `many use it at once`() async {
        let store = Self.store(TestClock(), maximumCount: 1000)
        await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    store.save(["n": "\(number)"], for: "\(number)")
                    store.update(["n": "-\(number)"], for: "\(number)")
                    #expect(store.values(for: "\(number)") == ["n": "-\(number)"])
                    if number.isMultiple(of: 2) { store.remove("\(number)") }
                }
            }
        }
        #expect(store.count == 50)
    }
}
