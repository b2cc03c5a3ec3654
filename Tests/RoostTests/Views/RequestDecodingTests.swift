import RoostTesting
import Testing

@testable import Roost

@Suite("Input of requests", .timeLimit(.minutes(5)))
struct RequestDecodingTests {
    struct Input: Codable, Sendable {
        var name: String
        var age: Int?
    }

    private static func post(_ type: String?, _ body: String) async throws -> WireClient.Response {
        let client = try TestClient(middleware: [ErrorPages(logger: LogLines().logger)]) { routes in
            routes.post(Path("/")) { request in
                let input = try request.decode(Input.self)
                return "\(input.name) \(input.age.map(String.init) ?? "-")"
            }
        }
        return try await client.request(
            .post, "/", headers: type.map { [.contentType: $0] } ?? [:], body: Array(body.utf8))
    }

    @Test(arguments: [
        ("application/json", #"{"name":"Ada","age":36}"#, "Ada 36"),
        ("application/json; charset=utf-8", #" {"age":null,"name":"Ada"} "#, "Ada -"),
        ("APPLICATION/JSON", #"{"name":"A\u0064a","other":[]}"#, "Ada -"),
        ("application/vnd.api+json", #"{"name":""}"#, " -"),
        ("application/x-www-form-urlencoded", "name=Ada&age=36", "Ada 36"),
        ("application/x-www-form-urlencoded; charset=utf-8", "age=&name=A+%26+B&other=1", "A & B -"),
        ("Application/X-WWW-Form-URLencoded", "name=%C3%84da", "Äda -"),
    ])
    func `JSON and forms are read by their content type`(type: String, body: String, text: String) async throws {
        let response = try await Self.post(type, body)
        #expect(response.status == .ok)
        #expect(response.text == text)
    }

    @Test(arguments: [
        nil, "", "text/plain", "json", "application", "application/xml", "text/json", "multipart/mixed; boundary=a",
        "application/jsonp", "application/json/x", "application /json",
    ])
    func `another content type is 415, with the supported ones`(type: String?) async throws {
        let response = try await Self.post(type, #"{"name":"Ada"}"#)
        #expect(response.status == .unsupportedMediaType)
        #expect(
            response.headers[.accept]
                == "application/json, application/x-www-form-urlencoded, multipart/form-data")
    }

    @Test(arguments: ["gzip", "br", "identity, gzip"])
    func `a body that is coded is 415, with the codings that are read`(coding: String) async throws {
        let client = try TestClient(middleware: []) { routes in
            routes.post(Path("/")) { request in try request.decode(Input.self).name }
            routes.post(Path("/files")) { request in
                var parts = try request.multipart().makeAsyncIterator()
                return try await parts.next() == nil ? "none" : "some"
            }
        }
        for (path, type) in [("/", "application/json"), ("/files", "multipart/form-data; boundary=a")] {
            let response = try await client.request(
                .post, path, headers: [.contentType: type, .contentEncoding: coding], body: [0x1F, 0x8B])
            #expect(response.status == .unsupportedMediaType && response.headers[.acceptEncoding] == "identity")
        }
        let plain = try await client.request(
            .post, "/", headers: [.contentType: "application/json", .contentEncoding: "Identity"],
            body: Array(#"{"name":"Ada"}"#.utf8))
        #expect(plain.text == "Ada")
    }

    @Test(arguments: ["", " ", "{", "{}x", "{\"name\":\"Ada\",}", "{name:1}", "{\"name\":'Ada'}", "\u{FEFF}{}", "nul"])
    func `malformed JSON is 400`(body: String) async throws {
        #expect(try await Self.post("application/json", body).status == .badRequest)
    }

    @Test(arguments: [
        ("application/json", "{}", "name"),
        ("application/json", #"{"name":null}"#, "name"),
        ("application/json", #"{"name":7}"#, "name"),
        ("application/json", #"{"name":"Ada","age":"old"}"#, "age"),
        ("application/json", #"{"name":"Ada","age":1.5}"#, "age"),
        ("application/x-www-form-urlencoded", "", "name"),
        ("application/x-www-form-urlencoded", "age=1", "name"),
        ("application/x-www-form-urlencoded", "name=Ada&age=old", "age"),
        ("application/x-www-form-urlencoded", "name=Ada&age=99999999999999999999", "age"),
    ])
    func `a value that is missing or of another type is 422, and says which`(
        type: String,
        body: String,
        field: String
    ) async throws {
        let response = try await Self.post(type, body)
        #expect(response.status == .unprocessableContent)
        #expect(response.text.contains("#/\(field)\"") || response.text.contains(field), "\(response.text)")
    }

    struct Fields: Decodable, Equatable {
        enum Colour: String, Decodable { case red, blue }

        var text: String?
        var flag: Bool?
        var count: Int?
        var tiny: UInt8?
        var ratio: Double?
        var colour: Colour?
        var tags: [String]?
        var numbers: [Int]?
    }

    @Test(
        arguments: [
            ("", Fields()),
            ("text=&flag=&count=&tiny=&ratio=&colour=", Fields()),
            ("text=+a+&count=-7&tiny=255", Fields(text: " a ", count: -7, tiny: 255)),
            ("text=a&text=b", Fields(text: "a")),
            ("ratio=-1.5e3&colour=blue", Fields(ratio: -1500, colour: .blue)),
            ("tags=a&tags=b&numbers=1&numbers=2", Fields(tags: ["a", "b"], numbers: [1, 2])),
            ("tags=&tags=a&numbers=", Fields(tags: ["", "a"])),
            ("tags=&tags=&text=&text=a&count=&count=1", Fields()),
            ("flag=on", Fields(flag: true)),
            ("flag=true", Fields(flag: true)),
            ("flag=1", Fields(flag: true)),
            ("flag=off", Fields(flag: false)),
            ("flag=false", Fields(flag: false)),
            ("flag=0", Fields(flag: false)),
        ] as [(String, Fields)]
    )
    func `a form's fields are values of their types, and empty ones absent`(body: String, fields: Fields) throws {
        #expect(try FormDecoder.decode(Fields.self, from: Form(text: body)) == fields)
    }

    @Test(arguments: [
        "count=a", "count=1.0", "count=+", "count=9223372036854775808", "tiny=256", "tiny=-1", "ratio=x", "ratio=nan",
        "ratio=inf", "ratio=1e999", "flag=yes", "colour=green", "numbers=1&numbers=x", "count=%201",
    ])
    func `a field that is not a value of its type is an error with its name`(body: String) throws {
        let error = #expect(throws: HTTPError.self) {
            try FormDecoder.decode(Fields.self, from: Form(text: body))
        }
        #expect(error?.status == .unprocessableContent)
        #expect(Set(error?.parts.map(\.name) ?? []) == [String(body.prefix { $0 != "=" })])
    }

    @Test func `a name that is no key of a dictionary is an error that names no type of Swift`() {
        enum Plan: String, Codable, CodingKeyRepresentable { case free }
        let reads: [() throws -> Void] = [
            { _ = try FormDecoder.decode([Plan: Int].self, from: Form(text: "paid=1")) },
            { _ = try FormDecoder.decode([Int: Int].self, from: Form(text: "paid=1")) },
        ]
        for read in reads {
            let error = #expect(throws: HTTPError.self) { try read() }
            #expect(error?.parts == [.init("/paid", "Is not known here.")])
        }
    }

    @Test func `a choice that nobody can make up does not hide what else is wrong`() throws {
        let text = "colour=green&count=x&ratio=y"
        let error = #expect(throws: HTTPError.self) { try FormDecoder.decode(Fields.self, from: Form(text: text)) }
        #expect(Set(error?.parts.map(\.name) ?? []) == ["colour", "count", "ratio"])
        struct Colours: Decodable { var colours: [Fields.Colour], shades: Set<Fields.Colour>?, count: Int }
        let lists = #expect(throws: HTTPError.self) {
            try FormDecoder.decode(Colours.self, from: Form(text: "colours=red&colours=green&shades=x&count=y"))
        }
        #expect(lists?.parts.map(\.name) == ["colours", "shades", "count"])
    }

    /// A list of another package, which has no empty literal.
    struct OneOrMore: Decodable, ExpressibleByArrayLiteral {
        let first: Fields.Colour

        init(arrayLiteral elements: Fields.Colour...) { first = elements[0] }
        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            first = try elements.decode(Fields.Colour.self)
        }
    }

    @Test func `no list is made up that may not be empty`() throws {
        struct Colours: Decodable { var colours: OneOrMore }
        let form = #expect(throws: HTTPError.self) {
            try FormDecoder.decode(Colours.self, from: Form(text: "colours=green"))
        }
        #expect(form?.parts.map(\.name) == ["colours"])
        let body = Body(#"{"colours":["green"]}"#)
        let request = try Request(.post, "/", headers: [.contentType: "application/json"], body: body)
        let json = #expect(throws: HTTPError.self) { try request.decode(Colours.self) }
        #expect(json?.status == .unprocessableContent)
    }

    struct Choices: Decodable, Equatable {
        var agrees: Bool
        var tags: [String]
    }

    @Test(arguments: [
        ("", false, []),
        ("agrees=on", true, []),
        ("tags=a", false, ["a"]),
        ("agrees=&tags=", false, [""]),
    ])
    func `an unticked box is false, and a list without a choice is empty`(
        body: String,
        agrees: Bool,
        tags: [String]
    ) throws {
        let choices = try FormDecoder.decode(Choices.self, from: Form(text: body))
        #expect(choices == Choices(agrees: agrees, tags: tags))
    }
}
