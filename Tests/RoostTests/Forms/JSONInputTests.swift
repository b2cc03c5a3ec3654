import FoundationEssentials
import HTTPTypes
import Testing

@testable import Roost

@Suite("JSON as an input type", .timeLimit(.minutes(5)))
struct JSONInputTests {
    private struct Order: Decodable, Validatable {
        enum Size: String, Decodable, CaseIterable { case small, large }
        struct Line: Decodable { var count: Int }

        var name: String
        var age: UInt8
        var size: Size
        var lines: [Line]
        var note: String?
        var date: Date

        func validate(_ check: inout Validation) {
            check("age", age, .range(18...))
            check.that("note", note != "", "A note has words.")
        }
    }

    private static func order(_ json: String) throws -> Order {
        let request = try Request(
            .post, "/", headers: [.contentType: "application/json"], body: Body(Array(json.utf8)))
        return try request.decode(Order.self)
    }

    @Test func `of JSON, too, everything that is wrong is said at once`() throws {
        let json =
            #"{"name":7,"age":300,"size":"huge","lines":[{"count":1},{"count":"x"},{}],"note":"","date":"today"}"#
        let error = #expect(throws: HTTPError.self) { try Self.order(json) }
        #expect(
            error?.parts.map { "\($0.pointer): \($0.message)" } == [
                "/name: Expected a string, not a number.", "/age: Expected a whole number from 0 to 255.",
                "/size: This is not one of the allowed values.",
                "/lines/1/count: Expected a whole number, not a string.", "/lines/2/count: This member is required.",
                "/date: Expected a date and time like 2026-01-31T12:00:00Z.", "/note: A note has words.",
            ])
        #expect(error?.message == nil)
    }

    @Test func `one fault is also the message`() throws {
        let error = #expect(throws: HTTPError.self) {
            try Self.order(#"{"name":null,"age":20,"size":"small","lines":[],"date":"2026-01-31T12:00:00Z"}"#)
        }
        #expect(error?.parts == [.init("/name", "Expected a string, not null.")])
        #expect(error?.message == "Expected a string, not null.")
    }

    private struct Visit: Decodable {
        var day: LocalDate
        var hour: Int
    }

    private struct Photo: Decodable { var photo: UploadedFile }

    private static func mistakes<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> [String] {
        let request = try Request(.post, "/", headers: [.contentType: "application/json"], body: Body(Array(json.utf8)))
        let error = #expect(throws: HTTPError.self) { try request.decode(type) }
        return error?.parts.map { "\($0.pointer): \($0.message)" } ?? []
    }

    @Test func `a value is told to be wrong once`() throws {
        #expect(
            try Self.mistakes(Visit.self, #"{"day":null,"hour":"x"}"#) == [
                "/day: Expected a string, not null.", "/hour: Expected a whole number, not a string.",
            ])
        #expect(try Self.mistakes(Visit.self, #"{"day":"x","hour":9}"#) == ["/day: Must be a date like 2026-01-31."])
    }

    @Test(arguments: [#""x""#, "7", "null", "{}"])
    func `in place of a file, JSON is told that a file is wanted`(value: String) throws {
        #expect(try Self.mistakes(Photo.self, "{\"photo\":\(value)}") == ["/photo: Must be a file."])
    }

    @Test func `each wrong element of a list is told once, and what comes after it is looked at`() {
        struct Tags: Decodable { var tags: [String], count: Int }
        let error = #expect(throws: HTTPError.self) {
            let json = #"{"tags":[1,"a",2],"count":"x"}"#
            let request = try Request(
                .post, "/", headers: [.contentType: "application/json"], body: Body(Array(json.utf8)))
            _ = try request.decode(Tags.self)
        }
        #expect(error?.parts.map(\.pointer) == ["/tags/0", "/tags/2", "/count"])
    }

    @Test func `where no value can stand in, what comes after it is not looked at`() throws {
        let error = #expect(throws: HTTPError.self) {
            try Self.order(#"{"name":7,"age":20,"size":"small","lines":[7],"date":7}"#)
        }
        #expect(error?.parts.map(\.pointer) == ["/name", "/lines/0"])
    }

    private struct Bird: Decodable, Validatable {
        enum Kind: String, Decodable { case barn, tawny }
        struct Egg: Decodable { var kind: Kind }

        var kind: Kind?
        var kinds: [Kind]?
        var egg: Egg?
        var name: String
        var count: Int?

        mutating func validate(_ check: inout Validation) {
            check("kind", kind, .required)
            check("egg", egg, .required)
            check("name", &name, .required)
        }
    }

    private static func faults(_ json: String) throws -> [String] {
        let request = try Request(.post, "/", headers: [.contentType: "application/json"], body: Body(Array(json.utf8)))
        let error = #expect(throws: HTTPError.self) { try request.decode(Bird.self) }
        return error?.parts.map(\.pointer) ?? []
    }

    @Test func `a choice that nobody can make up does not hide what else is wrong`() throws {
        #expect(
            try Self.faults(#"{"kind":"owl","egg":{"kind":"barn"},"name":"","count":"x"}"#) == [
                "/kind", "/count", "/name",
            ])
        #expect(
            try Self.faults(#"{"kind":"barn","kinds":["barn","owl"],"egg":{"kind":"owl"},"name":7,"count":"x"}"#) == [
                "/kinds/1", "/egg/kind", "/name", "/count",
            ])
    }

    @Test func `no more than twenty faults are looked for`() throws {
        struct Seen: Decodable { var kind: Bird.Kind? }
        struct Kinds: Decodable { var birds: [Seen] }
        let json = "{\"birds\":[" + Array(repeating: #"{"kind":"owl"}"#, count: 50).joined(separator: ",") + "]}"
        let request = try Request(.post, "/", headers: [.contentType: "application/json"], body: Body(Array(json.utf8)))
        let error = #expect(throws: HTTPError.self) { try request.decode(Kinds.self) }
        #expect(error?.parts.count == 20)
    }

    // MARK: Inputs within an input

    private struct Nest: Decodable, Validatable {
        struct Egg: Decodable, Validatable {
            var color: String

            mutating func validate(_ check: inout Validation) { check("color", &color, .trimmed, .required) }
        }
        var tree: String
        var eggs: [Egg]
        var first: Egg
        var last: Egg?

        mutating func validate(_ check: inout Validation) {
            check("eggs", &eggs)
            check("first", &first)
            check("last", &last)
            check("tree", &tree, .required)
        }
    }

    @Test func `parts are checked by their own rules, and have pointers of their own`() throws {
        let json = #"{"tree":"","eggs":[{"color":"red"},{"color":""}],"first":{"color":" blue "},"last":{"color":" "}}"#
        let request = try Request(.post, "/", headers: [.contentType: "application/json"], body: Body(Array(json.utf8)))
        let error = #expect(throws: HTTPError.self) { try request.decode(Nest.self) }
        #expect(error?.parts.map(\.pointer) == ["/eggs/1/color", "/last/color", "/tree"])
        let right = json.replacing(#""""#, with: #""red""#).replacing(#"" ""#, with: #""red""#)
        let fine = try Request(.post, "/", headers: [.contentType: "application/json"], body: Body(Array(right.utf8)))
        #expect(try fine.decode(Nest.self).first.color == "blue")
    }
}
