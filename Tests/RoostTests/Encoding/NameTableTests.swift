import Testing

@testable import Roost

@Suite("Names and their ids", .timeLimit(.minutes(5)))
struct NameTableTests {
    private func table(_ names: [String]) -> NameTable {
        let table = NameTable()
        for name in names { _ = table.id(name) }
        return table
    }

    @Test func `each name keeps its id, however many there are`() {
        let names = (1...1000).map { String(repeating: "n", count: $0 % 40) + "\($0)" }
        let table = table(names + names)
        #expect(table.count == 1001)
        let again = table
        for (index, name) in names.enumerated() {
            #expect(again.id(name) == UInt32(index + 1))
            #expect(table.name(UInt32(index + 1)) == name)
        }
    }

    @Test func `names are bytes: other marks are another name`() {
        let table = table(["\u{E9}"])
        #expect(table.id("\u{E9}" as String) == 1)
        #expect(table.id("e\u{301}" as String) == 2)
    }

    @Test func `names that differ in one byte are told apart`() {
        let base = Array("a name with more than two words".utf8)
        var names: [String] = []
        for place in base.indices {
            var bytes = base
            bytes[place] = 0x5A
            names.append(String(decoding: bytes, as: UTF8.self))
        }
        #expect(table(names).count == names.count + 1)
    }
}
