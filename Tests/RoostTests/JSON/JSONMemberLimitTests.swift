import RoostTesting
import Testing

@testable import Roost

@Suite("The limits for members and values of JSON", .timeLimit(.minutes(5)))
struct JSONMemberLimitTests {
    private static func object(_ count: Int) -> String {
        "{\((0..<count).map { "\"m\($0)\":0" }.joined(separator: ","))}"
    }

    @Test func `an object has ten thousand members at most`() throws {
        try JSONCoder().check(Array(Self.object(10_000).utf8))
        let larger = Array(Self.object(10_001).utf8)
        #expect(throws: JSONSyntaxError(offset: larger.count - "\"m10000\":0}".utf8.count, reason: .tooManyMembers)) {
            try JSONCoder().check(larger)
        }
    }

    @Test func `the limit is for each object, and can be set`() throws {
        let coder = JSONCoder(maximumMembers: 2)
        let full = "{\"a\":{\"a\":{},\"b\":[{\"a\":1,\"b\":2}]},\"b\":{\"a\":1,\"b\":2}}"
        try coder.check(Array("[\(full),\(full)]".utf8))
        #expect(throws: JSONSyntaxError(offset: 13, reason: .tooManyMembers)) {
            try coder.check(Array("{\"a\":1,\"b\":2,\"c\":3}".utf8))
        }
        try JSONCoder(maximumMembers: 10_001).check(Array(Self.object(10_001).utf8))
    }

    @Test(arguments: ["\u{301}\u{323}", "\\u0301\\u0323", "\u{323}\\u0301"])
    func `a name has thirty marks in a row at most`(marks: String) throws {
        let many = String(repeating: marks, count: 15)
        for text in ["{\"a\(many)\":1,\"b\(many)c\(many)\":2}", "[\"a\(many)\(many)\",{\"a\":\"\(many)\(many)\"}]"] {
            try JSONCoder().check(Array(text.utf8))
        }
        for more in ["\u{301}", "\u{F73}", "\\u0f75"] {
            #expect(throws: JSONSyntaxError(offset: 8, reason: .tooManyMarks)) {
                try JSONCoder().check(Array("{\"a\":1, \"a\(many)\(more)\":2}".utf8))
            }
        }
    }

    @Test func `a megabyte of marks is not a name, neither in JSON nor in a form`() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 250_000)
        #expect(throws: JSONSyntaxError(offset: 1, reason: .tooManyMarks)) {
            try JSONCoder().decode([String: Int].self, from: Array("{\"\(marks)\":1}".utf8))
        }
        #expect(throws: HTTPError.self) {
            try FormDecoder.decode([String: String].self, from: Form([(marks, "a")]))
        }
    }

    @Test func `a client's long text with many marks in a row is refused, since comparing it would take long`() throws {
        func decode(_ text: String) throws -> [String] {
            try Array("[\"\(text)\"]".utf8).withUnsafeBufferPointer {
                try JSONCoder().decode([String].self, from: $0, isFromClient: true)
            }
        }
        let letters = String(repeating: "e\u{301}\u{323}", count: 1000)
        for text in [letters, String(repeating: "\u{301}", count: 500)] { #expect(try decode(text) == [text]) }
        for marks in ["\u{301}\u{323}", "\\u0301\\u0323"] {
            let many = String(repeating: marks, count: 1000)
            #expect(throws: JSONSyntaxError(offset: 1, reason: .tooManyMarks)) { try decode("a" + many) }
            // What an application has written is read.
            let own = try JSONCoder().decode([String].self, from: Array("[\"a\(many)\"]".utf8))
            #expect(own[0].unicodeScalars.count == 2001)
        }
    }

    @Test func `what is written has no such limit`() throws {
        let values = Dictionary(uniqueKeysWithValues: (0..<10_001).map { ("m\($0)", 0) })
        #expect(try JSONCoder(layout: .sorted).encode(values).count == Self.object(10_001).utf8.count)
    }

    @Test func `there are two hundred thousand values at most`() throws {
        let numbers = { (count: Int) in Array("[\(String(repeating: "1,", count: count - 1))1]".utf8) }
        try JSONCoder().check(numbers(199_999))
        #expect(throws: JSONSyntaxError(offset: 399_999, reason: .tooManyValues)) {
            try JSONCoder().check(numbers(200_000))
        }
        try JSONCoder(maximumValues: 200_001).check(numbers(200_000))
        #expect(throws: JSONSyntaxError(offset: 13, reason: .tooManyValues)) {
            try JSONCoder(maximumValues: 3).check(Array("{\"a\":[1],\"b\":2}".utf8))
        }
    }

    @Test func `many values that lie deep are not decoded`() throws {
        let text = { (count: Int, depth: Int) in
            let (start, end) = (String(repeating: "[", count: depth), String(repeating: "]", count: depth))
            return Array((start + String(repeating: "0,", count: count - 1) + "0" + end).utf8)
        }
        _ = try JSONCoder().decode(JSONValue.self, from: text(1000, 120))
        _ = try JSONCoder().decode(JSONValue.self, from: text(100_000, 2))
        try JSONCoder().check(text(199_000, 120))
        // A limit of few values is none of their depth.
        _ = try JSONCoder(maximumValues: 130).decode(JSONValue.self, from: text(2, 125))
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONCoder().decode(JSONValue.self, from: text(199_000, 120))
        }
        #expect(error?.reason == .tooDeep)
    }

    @Test func `a megabyte of places or of names is read, and no flood of members or numbers`() async throws {
        let client = try TestClient { routes in
            routes.post(Path("/places")) { request in "\(try request.decode([[Double]].self).count)" }
            routes.post(Path("/users")) { request in "\(try request.decode([Named].self).count)" }
            routes.post(Path("/user")) { request in try request.decode(Named.self).name }
        }
        func post(_ path: String, _ text: String) async throws -> WireClient.Response {
            try await client.request(.post, path, headers: [.contentType: "application/json"], body: Array(text.utf8))
        }
        // As GeoJSON has them (RFC 7946 §3.1.1).
        let places = "[" + String(repeating: "[12.34567,45.67891],", count: 52_000) + "[1,2]]"
        #expect(try await post("/places", places).text == "52001")
        let users = "[" + String(repeating: "{\"name\":\"Ada\"},", count: 60_000) + "{\"name\":\"Ada\"}]"
        #expect(try await post("/users", users).text == "60001")
        #expect(try await post("/user", Self.object(90_000)).status == .badRequest)
        #expect(try await post("/places", "[" + String(repeating: "1,", count: 300_000)).status == .badRequest)
    }

    private struct Named: Decodable { let name: String }
}
