import RoostTesting
import Testing

@testable import Roost

@Suite("Members and parameters that an input type does not have", .quietLog, .timeLimit(.minutes(5)))
struct UnknownMemberTests {
    private struct Nest: Decodable {
        struct Egg: Decodable { var colour: String? }

        var tree: String
        var eggCount: Int?
        var eggs: [Egg]?
        var notes: [String: Int]?
    }

    /// Reads its object through two containers, as a class and its superclass do.
    private struct Twofold: Decodable {
        private enum First: CodingKey { case a }
        private enum Second: CodingKey { case b }

        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: First.self).decode(Int.self, forKey: .a)
            _ = try decoder.container(keyedBy: Second.self).decode(Int.self, forKey: .b)
        }
    }

    private struct PerchFilter: Decodable { var above: Int? }

    /// A page of the heights from 1 to 5, two at a time.
    private static func heights(_ request: Request, _ filter: PerchFilter) throws -> Page<Int> {
        let query = try PageQuery(request, limit: 2)
        let ascending = (1...5).filter { $0 > (filter.above ?? 0) }
        let all: [Int] = query.isDescending ? ascending.reversed() : ascending
        let rows: [Int]
        switch query.start {
        case .first: rows = all
        case .after(let height): rows = Array(all.drop { "\($0)" != height }.dropFirst())
        case .before(let height): rows = all.prefix { "\($0)" != height }.reversed()
        }
        return Page(read: rows, for: query) { "\($0)" }
    }

    private static func faults<Value: Decodable>(
        _ type: Value.Type, _ json: String, _ coder: JSONCoder = JSONCoder(unknownMembers: .refused)
    ) throws -> [String] {
        let request = try Request(
            .post, "/", headers: [.contentType: "application/json"], body: Body(Array(json.utf8)))
        do {
            _ = try request.decode(type, using: coder)
            return []
        } catch let error as HTTPError {
            #expect(error.status == .unprocessableContent)
            return error.parts.map { "\($0.pointer): \($0.message)" }
        }
    }

    @Test func `are ignored unless somebody asks`() throws {
        #expect(try Self.faults(Nest.self, #"{"tree":"oak","color":1}"#, JSONCoder()) == [])
    }

    @Test func `are refused, each with its pointer`() throws {
        #expect(
            try Self.faults(Nest.self, #"{"tree":"oak","a/b":1,"eggs":[{"colour":"red"},{"color":"red"}],"x":{}}"#)
                .sorted() == [
                    "/a~1b: This is not known here.", "/eggs/1/color: This is not known here.",
                    "/x: This is not known here.",
                ])
        #expect(try Self.faults(Nest.self, #"{"tree":"oak","eggs":[{}],"eggCount":1,"notes":{"any":1}}"#) == [])
    }

    @Test func `are told together with what does not fit`() throws {
        #expect(
            try Self.faults(Nest.self, #"{"tree":7,"other":1}"#) == [
                "/tree: Expected a string, not a number.", "/other: This is not known here.",
            ])
    }

    @Test func `are told by their names in the text`() throws {
        let coder = JSONCoder(keys: .snakeCase, unknownMembers: .refused)
        #expect(try Self.faults(Nest.self, #"{"tree":"oak","egg_count":1}"#, coder) == [])
        #expect(
            try Self.faults(Nest.self, #"{"tree":"oak","egg_counts":1}"#, coder) == [
                "/egg_counts: This is not known here."
            ])
    }

    @Test func `two that mean the same are refused, too`() throws {
        let coder = JSONCoder(keys: .snakeCase, unknownMembers: .refused)
        let twice = #"{"tree":"oak","egg_count":1,"eggCount":2}"#
        #expect(throws: JSONDecodingError(pointer: "", reason: "Two members mean the same.")) {
            try coder.decode(Nest.self, from: Array(twice.utf8))
        }
        #expect(try Self.faults([Nest].self, "[\(twice)]", coder) == ["/0: Two members mean the same."])
        #expect(try Self.faults(Nest.self, #"{"tree":"oak","notes":{"a_b":1,"aB":2}}"#, coder) == [])
    }

    @Test func `are known if one of several containers has them`() throws {
        #expect(try Self.faults(Twofold.self, #"{"a":1,"b":2}"#) == [])
        #expect(try Self.faults(Twofold.self, #"{"a":1,"b":2,"c":3}"#) == ["/c: This is not known here."])
    }

    @Test func `of a query are refused where the JSON's are`() async throws {
        struct Filter: Decodable { var page: Int? }
        let client = try TestClient(middleware: [ErrorPages(logger: LogLines().logger)]) { routes in
            routes.get(Path("/pages")) { request in "\(try request.decodeQuery(Filter.self).page ?? 0)" }
            let strict = JSONConvention(JSONCoder(unknownMembers: .refused))
            routes.group(Path("/api"), middleware: [strict]) { routes in
                routes.get(Path("/pages")) { request in "\(try request.decodeQuery(Filter.self).page ?? 0)" }
            }
        }
        #expect(try await client.get("/pages?pgae=2").text == "0")
        #expect(try await client.get("/api/pages?page=2").text == "2")
        let refused = try await client.get("/api/pages?pgae=2&page=x")
        #expect(refused.status == .badRequest)
        #expect(
            refused.text.contains(
                ##""errors":[{"parameter":"page","detail":"Must be a whole number."},"##
                    + ##"{"parameter":"pgae","detail":"Is not known here."}]"##))
        #expect(refused.text.contains(#""detail":"page: Must be a whole number.""#))
    }

    @Test(arguments: ["/api/perches", "/api/typed"])
    func `of a query are never those that choose the page of a list`(path: String) async throws {
        let client = try TestClient(middleware: [ErrorPages(logger: LogLines().logger)]) { routes in
            let strict = JSONConvention(JSONCoder(unknownMembers: .refused))
            routes.group(Path("/api"), middleware: [strict]) { routes in
                routes.get(Path("/perches")) { request in
                    try Self.heights(request, request.decodeQuery(PerchFilter.self))
                }
                routes.get(Path("/typed"), PerchFilter.self) { request, filter in try Self.heights(request, filter) }
            }
        }
        let first = try await client.get(path + "?above=1&limit=1&sort=-height")
        #expect(first.text == "[5]")
        let link = try #require(first.headers[.link])
        #expect(link == "<\(path)?above=1&limit=1&sort=-height&after=5>; rel=\"next\"")
        #expect(try await client.get(String(link.dropFirst().prefix { $0 != ">" })).text == "[4]")
        #expect(try await client.get(path + "?before=3").text == "[1,2]")
        for name in ["limti", "Limit", "page"] {
            let refused = try await client.get(path + "?after=1&\(name)=1")
            #expect(refused.status == .badRequest)
            #expect(refused.text.contains(##""errors":[{"parameter":"\##(name)","detail":"Is not known here."}]"##))
        }
    }

    @Test func `of a form are refused where the JSON's are`() async throws {
        struct Input: Decodable { var tree: String }
        let client = try TestClient(middleware: [ErrorPages(logger: LogLines().logger)]) { routes in
            routes.post(Path("/nests")) { request in try request.decode(Input.self).tree }
            let strict = JSONConvention(JSONCoder(unknownMembers: .refused))
            routes.group(Path("/api"), middleware: [strict]) { routes in
                routes.post(Path("/nests")) { request in try request.decode(Input.self).tree }
                routes.post(Path("/checked")) { request in
                    try await request.decode(Input.self) { _, _ in }.tree
                }
            }
        }
        let form: Form = ["tree": "oak", "color": "red"]
        #expect(try await client.post("/nests", form: form).text == "oak")
        #expect(try await client.post("/api/nests", form: ["tree": "oak"]).text == "oak")
        for path in ["/api/nests", "/api/checked"] {
            let refused = try await client.post(path, form: form)
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains(##""pointer":"#/color""##) && refused.text.contains("s not known here."))
        }
    }
}
