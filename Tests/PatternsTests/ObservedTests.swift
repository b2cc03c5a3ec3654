import PatternCore
import Testing

@Suite("An observed value", .timeLimit(.minutes(5)))
struct ObservedTests {
    @Test func `a follower sees the value, and what it becomes`() async {
        let number = Observed(1)
        let values = number.values()
        number.change { $0 = 2 }
        number.change { $0 = 2 }
        number.change { $0 += 1 }
        #expect(number.value == 3)
        number.finish()
        var seen: [Int] = []
        for await value in values { seen.append(value) }
        #expect(seen == [1, 2, 3])
    }

    @Test func `one who comes after the end sees the last value`() async {
        let number = Observed(1)
        number.finish()
        var seen: [Int] = []
        for await value in number.values() { seen.append(value) }
        #expect(seen == [1])
    }

    @Test func `one who leaves is forgotten`() async {
        let number = Observed(1)
        for await _ in number.values() { break }
        #expect(number.followerCount == 0)
    }
}
