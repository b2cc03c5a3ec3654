import Testing

import struct FoundationEssentials.Date
import struct FoundationEssentials.Decimal
import struct FoundationEssentials.URL
import struct FoundationEssentials.UUID

@testable import Roost

/// Everything that an `Encodable` may do arrives in the template.
@Suite(.timeLimit(.minutes(5)))
struct `Template encoder` {
    private func render(_ template: String, _ page: some Encodable) throws -> String {
        String(decoding: try Templates(sources: ["main": template]).render("main", page), as: UTF8.self)
    }

    @Test(arguments: [
        (1.0, "1"), (-2.0, "-2"), (1.21, "1.21"), (0.1, "0.1"), (-0.0, "0"), (1e15, "1000000000000000"),
        (1e16, "1e+16"), (123_456_789.5, "123456789.5"),
        (.infinity, "inf"), (.leastNonzeroMagnitude, "5e-324"),
    ])
    func `doubles show their shortest digits`(_ value: Double, _ expected: String) throws {
        #expect(try render("{{.}}", value) == expected)
    }

    @Test(arguments: [
        1, -2.5, 4_503_599_627_370_497, 9_007_199_254_740_991, 9_007_199_254_740_992, 9_007_199_254_740_994,
        -9_007_199_254_740_994, 9.9e15, 1e16, 1.2e16, 1e21, 1e-7,
    ])
    func `a page and JSON write a number alike`(_ value: Double) throws {
        #expect(try render("{{.}}", value) == String(decoding: try JSONCoder().encode(value), as: UTF8.self))
    }

    @Test func `numbers of all sizes`() throws {
        #expect(try render("{{#.}}{{.}} {{/.}}", [Int.min, Int.max]) == "-9223372036854775808 9223372036854775807 ")
        #expect(try render("{{.}}", UInt64.max) == "18446744073709551615")
        #expect(try render("{{#.}}{{.}} {{/.}}", [Int8.min, Int8.max]) == "-128 127 ")
        #expect(try render("{{.}}", Int128.max) == "\(Int128.max)")
        #expect(try render("{{#.}}{{.}} {{/.}}", [Float(1.1), 3]) == "1.1 3 ")
        #expect(try render("{{#.}}{{.}} {{/.}}", [true, false]) == "true false ")
    }

    /// A page that records where it is encoded.
    private final class Noted: Encodable {
        enum Keys: String, CodingKey { case name }

        weak var tape: ValueTape?
        let error: (any Error)?

        init(error: (any Error)?) { self.error = error }

        func encode(to encoder: any Encoder) throws {
            tape = (encoder as? TapeEncoder)?.tape
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode("Ada", forKey: .name)
            if let error { throw error }
        }
    }

    @Test func `a thread keeps the memory of its last rendering and no other`() throws {
        let page = Noted(error: nil)
        #expect(try render("{{name}}", page) == "Ada")
        let broken = Noted(error: CancellationError())
        #expect(throws: CancellationError.self) { try render("{{name}}", broken) }
        #expect(page.tape == nil)
        #expect(try render("{{.}}", 1) == "1")
        #expect(broken.tape == nil)
    }

    private struct Tree: Encodable {
        let name: String
        var trees: [Tree] = []
    }

    @Test func `objects inside objects of their type`() throws {
        let page = Tree(
            name: "a", trees: [Tree(name: "b", trees: [Tree(name: "c"), Tree(name: "d")]), Tree(name: "e")])
        #expect(
            try render("{{name}}{{#trees}}({{name}}{{#trees}}[{{name}}]{{/trees}}){{/trees}}", page) == "a(b[c][d])(e)")
    }

    private struct Everything: Encodable {
        enum Keys: String, CodingKey { case a, b, c, d, list, inner, gone, null }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var inner = container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
            try container.encode(1 as UInt8, forKey: .a)
            try inner.encode("i", forKey: .a)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            try container.encodeIfPresent(nil as String?, forKey: .gone)
            try container.encodeNil(forKey: .null)
            try list.encodeNil()
            var nested = list.nestedContainer(keyedBy: Keys.self)
            try nested.encode(2, forKey: .b)
            try inner.encode("j", forKey: .b)
            try container.superEncoder(forKey: .c).singleValueContainerWrite("s")
            try container.superEncoder().singleValueContainerWrite("t")
        }
    }

    @Test func `containers may be written in turn`() throws {
        let template = "{{a}} {{inner.a}}{{inner.b}} {{#list}}[{{b}}]{{/list}} {{gone}}{{null}} {{c}}{{super}}"
        let templates = try Templates(sources: ["main": template], missingNames: .empty)
        let text = String(decoding: try templates.render("main", Everything()), as: UTF8.self)
        #expect(text == "1 ij [][][2]  st")
    }

    private class Base: Encodable {
        let id = 1
    }

    private final class Derived: Base {
        enum Keys: CodingKey { case name }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode("n", forKey: .name)
        }
    }

    @Test func `a class and its superclass share an object`() throws {
        #expect(try render("{{id}}{{name}}", Derived()) == "1n")
    }

    private struct Values: Encodable {
        let date = Date(timeIntervalSince1970: 0)
        let url = URL(string: "https://example.com/a?b=1&c")
        let number = Decimal(string: "12.50")
        let none: Date? = nil
        let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        let names: [String: Int] = ["x": 1]
        let maybe: [Int?] = [1, nil]
    }

    @Test(arguments: [
        ("{{date}}", "1970-01-01T00:00:00Z"), ("{{url}}", "https://example.com/a?b=1&amp;c"), ("{{number}}", "12.5"),
        ("[{{none}}]", "[]"), ("{{id}}", "00000000-0000-0000-0000-000000000001"), ("{{names.x}}", "1"),
        ("{{#maybe}}[{{.}}]{{/maybe}}", "[1][]"),
    ])
    func `values of Foundation and the standard library`(_ template: String, _ expected: String) throws {
        #expect(try render(template, Values()) == expected)
    }

    private struct Failing: Encodable {
        struct Inner: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(0, .init(codingPath: encoder.codingPath, debugDescription: ""))
            }
        }
        let list = [["x": Inner()]]
    }

    @Test func `an error of the page knows its path`() throws {
        let error = #expect(throws: EncodingError.self) { try render("{{#list}}{{x}}{{/list}}", Failing()) }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["list", "0", "x"])
    }

    @Test func `an object of many fields`() throws {
        let page = Dictionary(uniqueKeysWithValues: (0..<500).map { ("key\($0)", $0) })
        #expect(try render("{{key0}} {{key77}} {{key499}}", page) == "0 77 499")
    }
}

extension Encoder {
    fileprivate func singleValueContainerWrite(_ text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
