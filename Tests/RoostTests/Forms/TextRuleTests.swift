import Testing

@testable import Roost

@Suite("Rules of a text", .timeLimit(.minutes(5)))
struct TextRuleTests {
    private static let text = String(repeating: "@", count: 11)

    /// Returns the messages of a check.
    private static func messages(_ body: (inout Validation) -> Void) -> [String] {
        var check = Validation()
        body(&check)
        return check.faults.map { MessageTable.english.text($0.message) }
    }

    @Test func `a text that is too long is not seen by the rules that follow`() {
        var looks = 0
        let rule = TextRule.custom("Not so.") { _ in
            looks += 1
            return false
        }
        var (one, optional, member) = (Self.text, Optional(Self.text), MergePatch.value(Self.text))
        let messages = Self.messages { check in
            check("one", &one, .length(...10), rule, .pattern(/a/))
            check("optional", &optional, .length(2...10), rule, .pattern(/a/))
            check("member", &member, .length(...10), rule, .pattern(/a/))
        }
        #expect(messages == Array(repeating: "Must have at most 10 characters.", count: 3))
        #expect(looks == 0)
        #expect(one == Self.text && optional == Self.text && member == .value(Self.text))
    }

    @Test func `any other is seen by all of them`() {
        var (one, two, three) = (Self.text, "@", "@\u{0}")
        let messages = Self.messages { check in
            check("one", &one, .length(...11), .pattern(/a/, "Write an a."))
            check("two", &two, .length(2...10), .pattern(/a/, "Write an a."))
            check("three", &three, .length(...10), .pattern(/a/, "Write an a."))
            check("four", &one, .pattern(/a/, "Write an a."), .length(...10))
        }
        #expect(
            messages == [
                "Write an a.", "Must have at least 2 characters.", "Write an a.", "Is not valid.", "Write an a.",
                "Write an a.", "Must have at most 10 characters.",
            ])
    }

    private struct Guest: Decodable, Validatable {
        var name: String
        var town: String?
        var kind: MergePatch<String>

        func validate(_ check: inout Validation) {
            check("name", name, .required)
            check("town", town, .required("Where from?"))
            check("kind", kind, .required)
        }
    }

    @Test func `a text must not be empty if it is required, without & too`() {
        func messages(_ guest: Guest) -> [String] { Self.messages { guest.validate(&$0) } }
        #expect(
            messages(Guest(name: "", town: "", kind: .value(""))) == [
                "Must not be empty.", "Where from?", "Must not be empty.",
            ])
        #expect(messages(Guest(name: "Ada", town: nil, kind: .absent)) == ["Where from?"])
        #expect(messages(Guest(name: "Ada", town: "Ulm", kind: .value("x"))).isEmpty)
    }
}
