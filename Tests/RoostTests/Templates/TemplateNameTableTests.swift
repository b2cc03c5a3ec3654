import Testing

@testable import Roost

@Suite("Names and their ids", .timeLimit(.minutes(5)))
struct TemplateNameTableTests {
    private func table(_ names: [String]) -> TemplateNameTable {
        var table = TemplateNameTable()
        for name in names { _ = table.intern(name) }
        return table
    }

    @Test func `each name keeps its id, however many there are`() {
        let names = (1...1000).map { String(repeating: "n", count: $0 % 40) + "\($0)" }
        let table = table(names + names)
        #expect(table.count == 1001)
        for (index, name) in names.enumerated() {
            #expect(table.id(of: name) == UInt32(index + 1))
            #expect(table.names[index + 1] == name)
        }
    }

    @Test func `a name that is not there has none`() {
        let table = table(["name", "names", "a", ""])
        for name in ["nam", "name ", "Name", "b", "aa", "a name of more than sixteen bytes"] {
            #expect(table.id(of: name) == nil)
        }
        #expect(table.id(of: "") == 4)
        #expect(TemplateNameTable().id(of: "") == nil)
    }

    @Test func `names are bytes: other marks are another name`() {
        let table = table(["\u{E9}"])
        #expect(table.id(of: "\u{E9}") == 1)
        #expect(table.id(of: "e\u{301}") == nil)
    }

    @Test func `names that differ in one byte are told apart`() {
        let base = Array("a name with more than two words".utf8)
        var names: [String] = []
        for place in base.indices {
            var bytes = base
            bytes[place] = 0x5A
            names.append(String(decoding: bytes, as: UTF8.self))
        }
        let table = table(names)
        #expect(Set(names.map { table.id(of: $0) }).count == names.count)
    }
}
