import Testing

@testable import Roost

/// The types that the values of every page may have.
@Suite("Types of values for every page", .timeLimit(.minutes(5)))
struct PageValueTypeTests {
    private class Visitor: SelfWriting, @unchecked Sendable {
        func write(to fields: inout Fields) { fields.add("visitor", "somebody") }
    }

    private final class Member: Visitor, @unchecked Sendable {
        override func write(to fields: inout Fields) { fields.add("visitor", "a member") }
    }

    private struct Named: Encodable, Sendable {
        let visitor: String
    }

    private struct Page: SelfWriting {
        func write(to fields: inout Fields) {}
    }

    private static func shown(_ values: any Encodable & Sendable) throws -> String {
        let templates = try Templates(sources: ["page": "{{visitor}}"])
        return String(decoding: try templates.render("page", Page(), over: values, review: nil), as: UTF8.self)
    }

    @Test func `a class that writes itself, and its subclass, also by the name of its superclass`() throws {
        #expect(try Self.shown(Visitor()) == "somebody")
        #expect(try Self.shown(Member()) == "a member")
        let member: Visitor = Member()
        #expect(try Self.shown(member) == "a member")
    }

    @Test func `an optional`() throws {
        let member: Member? = Member()
        #expect(try Self.shown(member) == "a member")
    }

    @Test func `pages with values of several types in turn`() throws {
        let templates = try Templates(sources: ["page": "{{visitor}}"])
        let all: [any Encodable & Sendable] = [Named(visitor: "Ann"), Member(), Named(visitor: "Bob"), Visitor()]
        let shown = try all.map {
            String(decoding: try templates.render("page", Page(), over: $0, review: nil), as: UTF8.self)
        }
        #expect(shown == ["Ann", "a member", "Bob", "somebody"])
    }
}
