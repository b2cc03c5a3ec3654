import Roost
import Synchronization
import Testing

@Suite("Sessions in memory", .timeLimit(.minutes(5)))
struct MemorySessionStoreTests {
    /// Seconds that pass when a test says so.
    private final class Seconds: Sendable {
        private let start = ContinuousClock.now
        private let count = Atomic(0)

        var now: ContinuousClock.Instant { start + .seconds(count.load(ordering: .relaxed)) }

        func pass(_ seconds: Int) { count.add(seconds, ordering: .relaxed) }
    }

    private static func store(_ time: Seconds, maximumCount: Int = 10) -> MemorySessionStore {
        MemorySessionStore(idleTimeout: .seconds(10), lifetime: .seconds(25), maximumCount: maximumCount) { time.now }
    }

    @Test func `a session ends when nobody has used it for a while`() {
        let time = Seconds()
        let store = Self.store(time)
        store.save(["a": "1"], for: "t")
        time.pass(9)
        #expect(store.values(for: "t") == ["a": "1"])
        time.pass(9)
        #expect(store.values(for: "t") == ["a": "1"])
        time.pass(10)
        #expect(store.values(for: "t") == nil)
        #expect(store.count == 0)
    }

    @Test func `a session ends when it is old, however much it is used and changed`() {
        let time = Seconds()
        let store = Self.store(time)
        store.save(["a": "1"], for: "t")
        for _ in 0..<4 {
            time.pass(6)
            #expect(store.values(for: "t") != nil)
            store.update(["a": "2"], for: "t")
        }
        time.pass(1)
        #expect(store.values(for: "t") == nil)
    }

    @Test func `an unknown token stays unknown`() {
        let store = Self.store(Seconds())
        store.update(["a": "1"], for: "t")
        #expect(store.values(for: "t") == nil)
        store.remove("t")
        #expect(store.count == 0)
    }

    @Test func `a full store drops the sessions not used for longest`() {
        let time = Seconds()
        let store = Self.store(time)
        for number in 0..<10 {
            store.save([:], for: "t\(number)")
            time.pass(number == 9 ? 0 : 1)
        }
        #expect(store.values(for: "t0") == [:])
        store.save([:], for: "t10")
        #expect(store.count == 10)
        #expect(store.values(for: "t0") == [:])
        #expect(store.values(for: "t1") == nil)
        #expect(store.values(for: "t10") == [:])
    }

    @Test func `a full store drops expired sessions first`() {
        let time = Seconds()
        let store = Self.store(time)
        for number in 0..<5 { store.save([:], for: "old\(number)") }
        time.pass(8)
        for number in 0..<5 { store.save([:], for: "new\(number)") }
        time.pass(2)
        store.save([:], for: "last")
        #expect(store.count == 6)
        for number in 0..<5 { #expect(store.values(for: "new\(number)") == [:]) }
    }

    @Test func `a full store drops sessions of the address that has most`() {
        let time = Seconds()
        let store = Self.store(time, maximumCount: 10)
        for number in 0..<3 { store.save([Session.addressKey: "192.0.2.\(number)"], for: "other\(number)") }
        for number in 0..<100 {
            store.save([Session.addressKey: "198.51.100.1"], for: "greedy\(number)")
            #expect(store.count <= 10)
        }
        for number in 0..<3 { #expect(store.values(for: "other\(number)") != nil) }
        #expect(store.values(for: "greedy99") != nil)
        #expect((0..<100).count { store.values(for: "greedy\($0)") != nil } <= 7)
    }

    @Test func `it never holds more than it may`() {
        let store = Self.store(Seconds(), maximumCount: 100)
        for number in 0..<1000 {
            store.save([:], for: "\(number)")
            #expect(store.count <= 100)
        }
    }

    @Test func `many use it at once`() async {
        let store = Self.store(Seconds(), maximumCount: 1000)
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
