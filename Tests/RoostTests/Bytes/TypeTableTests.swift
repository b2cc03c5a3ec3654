import Testing

@testable import Roost

@Suite("Values by type", .timeLimit(.minutes(5)))
struct TypeTableTests {
    private struct Nested<Inner> {}

    private final class Token {}

    /// As many types as one wants, each with its number.
    private func types(_ count: Int) -> [any Any.Type] {
        func next<Inner>(_ type: Inner.Type) -> any Any.Type { Nested<Inner>.self }
        var types: [any Any.Type] = [Int.self]
        while types.count < count { types.append(_openExistential(types[types.count - 1], do: next)) }
        return types
    }

    @Test func `each type has its own value, however many types there are`() {
        var table = TypeTable<Int>(capacity: 2)
        let types = types(100)
        for round in 0..<2 {
            for (number, type) in types.enumerated() {
                var made = 0
                let value = table.value(of: type) {
                    made += 1
                    return number
                }
                #expect(value.pointee == number)
                #expect(made == (round == 0 ? 1 : 0))
            }
        }
    }

    @Test func `values are kept while the table grows, and freed with it`() {
        weak var seen: Token?
        do {
            var table = TypeTable<Token>(capacity: 2)
            let first = Token()
            seen = first
            _ = table.value(of: String.self) { first }
            for type in types(20) { _ = table.value(of: type) { Token() } }
            #expect(table.value(of: String.self) { Token() }.pointee === first)
        }
        #expect(seen == nil)
    }

    @Test func `what is forgotten is freed, and made anew`() {
        var table = TypeTable<Token>(capacity: 2)
        weak let seen = table.value(of: String.self) { Token() }.pointee
        for type in types(5) { _ = table.value(of: type) { Token() } }
        table.removeAll()
        #expect(seen == nil)
        let next = Token()
        #expect(table.value(of: String.self) { next }.pointee === next)
    }
}
