import FoundationEssentials
import RoostTesting
import Testing

@testable import Roost

@Suite("Rules of an input", .timeLimit(.minutes(5)))
struct ValidationTests {
    /// Returns a text after some rules, and their messages.
    private static func checked(_ text: String, _ rules: TextRule...) -> (text: String, messages: [String]) {
        var check = Validation()
        var text = text
        for rule in rules { check("a", &text, rule) }
        return (text, check.faults.map { MessageTable.english.text($0.message) })
    }

    private static func messages<Value>(_ value: Value?, _ rule: ValueRule<Value>) -> [String] {
        var check = Validation()
        check("a", value, rule)
        return check.faults.map { MessageTable.english.text($0.message) }
    }

    @Test(arguments: [("", ""), (" a b ", "a b"), ("\u{A0}\t\na\u{2003}\r\n", "a"), (" \n", ""), ("a", "a")])
    func `trimmed takes white space away`(text: String, trimmed: String) {
        #expect(Self.checked(text, .trimmed).text == trimmed)
        #expect(Self.checked(text, .trimmed).messages.isEmpty)
    }

    @Test func `white space is what Unicode takes for it`() {
        let others = (UInt32(0)...0x10FFFF).compactMap { Unicode.Scalar($0) }.filter {
            TextRule.isWhitespace($0) != $0.properties.isWhitespace
        }
        #expect(others.isEmpty)
    }

    @Test func `required is about what is left after trimming`() {
        #expect(Self.checked(" ", .trimmed, .required).messages == ["Must not be empty."])
        #expect(Self.checked(" ", .required).messages.isEmpty)
        #expect(Self.checked("", .required("A tree is needed.")).messages == ["A tree is needed."])
        #expect(Self.messages(nil as Int?, .required) == ["Must not be empty."])
        #expect(Self.messages(0, .required).isEmpty)
        #expect(Self.messages(nil as Int?, .required("How many?")) == ["How many?"])
    }

    @Test func `a text may be missing, but not be empty`() {
        func messages(_ text: String?, _ rules: TextRule...) -> [String] {
            var (check, text) = (Validation(), text)
            for rule in rules { check("a", &text, rule) }
            return check.faults.map { MessageTable.english.text($0.message) }
        }
        #expect(messages(nil, .trimmed, .notEmpty, .length(1...80)).isEmpty)
        #expect(messages("a", .trimmed, .notEmpty, .length(1...80)).isEmpty)
        #expect(messages("", .notEmpty) == ["Must not be empty."])
        #expect(messages(" ", .trimmed, .notEmpty) == ["Must not be empty."])
        #expect(messages(nil, .required) == ["Must not be empty."])
        #expect(Self.checked("", .notEmpty).messages == ["Must not be empty."])
    }

    @Test func `length counts characters`() {
        #expect(Self.checked("äöü👩‍👩‍👧", .length(4...4)).messages.isEmpty)
        #expect(Self.checked("abc", .length(...2)).messages == ["Must have at most 2 characters."])
        #expect(Self.checked("abc", .length(4...)).messages == ["Must have at least 4 characters."])
        #expect(Self.checked("abc", .length(4...9)).messages == ["Must have at least 4 characters."])
        #expect(Self.checked("", .length(4...)).messages.isEmpty)
        #expect(Self.checked("abc", .length(1...Int.max)).messages.isEmpty)
        // PostgreSQL cannot keep it.
        #expect(Self.checked("a\0b", .length(...3)).messages == ["Is not valid."])
        #expect(Self.checked("abc", .length(...Int.max)).messages.isEmpty)
        #expect(Self.checked("abc", .length(Int.max...)).messages.count == 1)
        let marks = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(Self.checked(marks, .length(...2)).messages == ["Must have at most 2 characters."])
    }

    @Test func `range is for whatever can be compared`() throws {
        #expect(Self.messages(12, .range(0...12)).isEmpty)
        #expect(Self.messages(13, .range(0...12)) == ["Must be from 0 to 12."])
        #expect(Self.messages(1.5, .range(2...)) == ["Must be at least 2."])
        #expect(Self.messages(3, .range(...2)) == ["Must be at most 2."])
        #expect(Self.messages(nil, .range(1...2)).isEmpty)
        let date = try Date("2026-01-31T00:00:00Z", strategy: .iso8601)
        #expect(Self.messages(date - 1, .range(date...)) == ["Must be at least 2026-01-31T00:00:00Z."])
    }

    @Test func `count is for the entries of a list`() {
        #expect(Self.messages(["a", "b"], .count(2...2)).isEmpty)
        #expect(Self.messages([1, 2, 3], .count(1...2)) == ["Must have at most 2 entries."])
        #expect(Self.messages([1, 2], .count(...1)) == ["Must have at most 1 entry."])
        #expect(Self.messages([] as [Int], .count(1...2)) == ["Must have at least 1 entry."])
        #expect(Self.messages(["a"] as Set, .count(2...)) == ["Must have at least 2 entries."])
        #expect(Self.messages([1], .count(...Int.max)).isEmpty)
        #expect(Self.messages(nil as [Int]?, .count(1...)).isEmpty)
    }

    @Test func `a pattern must match the whole text`() {
        #expect(Self.checked("AB12", .pattern(/[A-Z]+[0-9]+/)).messages.isEmpty)
        #expect(Self.checked("AB12x", .pattern(/[A-Z]+[0-9]+/)).messages == ["Is not in the right form."])
        #expect(Self.checked("x", .pattern(/[0-9]/, "A digit, please.")).messages == ["A digit, please."])
        #expect(Self.checked("", .pattern(/[0-9]/)).messages.isEmpty)
    }

    @Test(arguments: [
        "a@b", "ada.lovelace+1@example.co.uk", "!#$%&'*+/=?^_`{|}~-@x-1.example", "A@B.C",
        "a@" + String(repeating: "b", count: 63) + ".com",
    ])
    func `an email address is what browsers take`(text: String) {
        #expect(Self.checked(text, .email).messages.isEmpty)
    }

    @Test(arguments: [
        "a", "@", "a@", "@b", "a@b@c", "a b@c", "a@b..c", "a@.b", "a@b.", "a@-b", "a@b-", "ä@b", "a@ü.de", "a@b_c",
        "a\"@b", "a@b\n", "a@" + String(repeating: "b", count: 64), String(repeating: "a", count: 253) + "@b",
    ])
    func `what browsers refuse is no email address`(text: String) {
        #expect(Self.checked(text, .email).messages == ["Must be an email address like name@example.com."])
    }

    @Test func `one of several, by bytes`() {
        #expect(Self.checked("elm", .oneOf(["oak", "elm"])).messages.isEmpty)
        #expect(Self.checked("e\u{301}", .oneOf(["é"])).messages == ["Is not one of the choices."])
        #expect(Self.messages(3, .oneOf([1, 2])) == ["Is not one of the choices."])
        #expect(Self.messages(nil, .oneOf([1, 2])).isEmpty)
    }

    @Test func `own rules have own messages`() {
        #expect(Self.checked("b", .custom("Begin with a.") { $0.hasPrefix("a") }).messages == ["Begin with a."])
        #expect(Self.checked("", .custom("Begin with a.") { $0.hasPrefix("a") }).messages.isEmpty)
        #expect(Self.messages(3, .custom("Even numbers only.") { $0 % 2 == 0 }) == ["Even numbers only."])
    }

    @Test func `an input with a hundred faults is not looked at any further`() {
        struct Egg: Validatable {
            var color: String
            nonisolated(unsafe) static var looks = 0

            mutating func validate(_ check: inout Validation) {
                Self.looks += 1
                check("color", &color, .required)
                if !check.hasFault("color") { check("color", &color, .length(...3)) }
            }
        }
        var eggs = [Egg](repeating: Egg(color: ""), count: 1000)
        var check = Validation()
        check("eggs", &eggs)
        #expect(check.faults.count == 100 && !check.isValid)
        #expect(check.faults.last?.pointer == "/eggs/99/color")
        #expect(check.hasFault("other"))
        #expect(Egg.looks == 100)
        check.that("other", false, "No.")
        #expect(check.faults.count == 100)
    }

    // MARK: Input types

    struct Account: Decodable, Validatable {
        enum Plan: String, Decodable, CaseIterable { case small, large }

        var name: String
        var email: String?
        var age: Int
        var plan: Plan
        var seats: UInt8?
        var password: String
        var again: String

        mutating func validate(_ check: inout Validation) {
            check("name", &name, .trimmed, .required, .length(2...10), .pattern(/[a-z]*/, "Small letters only."))
            check("email", &email, .trimmed, .email)
            check("age", age, .range(18...))
            check("seats", seats, .range(...50))
            check.that("again", again == password, "The passwords differ.")
        }
    }

    /// Returns the faults, by field, in the order of the rules.
    private static func faults(_ text: String, _ table: MessageTable = .english) throws -> [String] {
        let (value, found) = try FormDecoder.read(Account.self, from: FormFields(Form(text: text)))
        var check = Validation(found)
        var account = value
        account?.validate(&check)
        return HTTPError(.unprocessableContent, check.faults, table).parts.map { "\($0.pointer): \($0.message)" }
    }

    @Test func `everything that is wrong is said at once`() throws {
        let text = "name=A&email=x&age=old&plan=huge&seats=999&password=a&again=b"
        #expect(
            try Self.faults(text) == [
                "/age: Must be a whole number.", "/plan: Is not one of the choices.", "/seats: Must be from 0 to 255.",
                "/name: Must have at least 2 characters.", "/name: Small letters only.",
                "/email: Must be an email address like name@example.com.", "/again: The passwords differ.",
            ])
        #expect(try Self.faults("").count == 5)
        #expect(try Self.faults("name=ada&email=&age=18&plan=small&seats=50&password=a&again=a").isEmpty)
    }

    private struct Wide: Decodable {
        var age: Int?
        var size: UInt64?
        var seats: Int32?
    }

    @Test(arguments: [
        ("age=999999999999999999999&size=-999999999999999999999", ["Is not valid.", "Must be at least 0."]),
        ("age=-9223372036854775809&size=18446744073709551616", ["Is not valid.", "Is not valid."]),
        ("seats=2147483648", ["Must be from -2147483648 to 2147483647."]),
        ("age=9223372036854775807&size=18446744073709551615", []),
    ])
    func `nobody reads the bounds of a wide type`(text: String, messages: [String]) throws {
        let (_, faults) = try FormDecoder.read(Wide.self, from: FormFields(Form(text: text)))
        #expect(HTTPError(.unprocessableContent, faults, .english).parts.map(\.message) == messages)
    }

    @Test func `a table has them in another language`() throws {
        let german = MessageTable(
            "de",
            [
                "Must not be empty.": "Darf nicht leer sein.",
                "Must be from {minimum} to {maximum}.": "Muss von {minimum} bis {maximum} gehen.",
                "The passwords differ.": "Die Passwörter sind verschieden.",
            ])
        #expect(
            try Self.faults("name=ada&age=1x&plan=small&seats=999&password=a&again=b", german) == [
                "/age: Must be a whole number.", "/seats: Muss von 0 bis 255 gehen.",
                "/again: Die Passwörter sind verschieden.",
            ])
        #expect(MessageTable.sentences.contains("Must be at least {minimum}."))
        #expect(german.title(of: .notFound) == "Not Found")
    }

    private struct Price: Decodable, Validatable {
        var price: Double
        func validate(_ check: inout Validation) { check("price", price, .range(0...10_000.5)) }
    }

    @Test func `a bound that is a whole number has no decimals`() async throws {
        let client = TestClient(
            try Application { routes in routes.post(Path("/")) { try $0.decode(Price.self).price.description } })
        let refused = try await client.post("/", form: ["price": "-1"])
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("Must be from 0 to 10000.5."))
    }

    @Test func `an error about a field has a pointer, if its name can be shown`() {
        #expect(HTTPError(.conflict, field: "a/b~c", "x").parts == [.init("/a~1b~0c", "x")])
        #expect(HTTPError(.conflict, field: "a/b~c", "x").parts.map(\.name) == ["a/b~c"])
        let long = HTTPError(.conflict, field: String(repeating: "a", count: 1001), "x")
        #expect(long.parts.isEmpty)
        #expect(long.message == "x")
    }
}
