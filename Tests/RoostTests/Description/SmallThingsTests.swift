import FoundationEssentials
import RoostTesting
import Testing

@testable import Roost

/// The small things that an API needs beside its description.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `Small things of an API` {
    struct Search: Decodable, Sendable { let text: String }

    @Test func `QUERY has a body and changes nothing`() async throws {
        let client = try TestClient { routes in
            routes.query(Path("/nests"), Search.self) { _, search in [search.text] }
            routes.query(Path("/more")) { request in "\(request.isSafe)" }
        }
        let foreign: Headers = [try #require(HTTPField.Name("Sec-Fetch-Site")): "cross-site"]
        let found = try await client.on(.query)("/nests", json: ["text": "oak"], headers: foreign)
        #expect(try found.json([String].self) == ["oak"])
        #expect(try await client.on(.query)("/more").text == "true")
        #expect(try await client.get("/nests").headers[.allow] == "OPTIONS, QUERY")
    }

    @Test func `a description without routes is told at the start`() throws {
        for isDescribed in [false, true] {
            let api = APIDescription(title: "Nests", version: "1")
            let application = try Application(api: api) { routes in
                routes.group(Path("/nests"), described: isDescribed) { $0.get(Path("/")) { _ in "none" } }
            }
            let told = application.warnings.filter { $0.hasPrefix("No route is in the API's description /api/") }
            #expect(told.count == (isDescribed ? 0 : 1))
        }
    }

    struct Patch: Decodable, Sendable {
        var tree: MergePatch<String>
        var eggs: MergePatch<Int>
    }

    @Test(arguments: [
        ("{}", "oak 3"), (#"{"tree":"elm"}"#, "elm 3"), (#"{"eggs":null}"#, "oak none"), (#"{"tree":null}"#, "oak 3"),
    ])
    func `a merge patch tells what is absent from what is null`(body: String, result: String) async throws {
        let client = try TestClient { routes in
            routes.patch(Path("/nest"), Patch.self) { _, patch in
                var (tree, eggs) = ("oak", 3 as Int?)
                patch.tree.apply(to: &tree)
                patch.eggs.apply(to: &eggs)
                return "\(tree) \(eggs.map { "\($0)" } ?? "none")"
            }
        }
        let headers: Headers = [.contentType: "application/merge-patch+json"]
        #expect(try await client.patch("/nest", headers: headers, body: Array(body.utf8)).text == result)
    }

    struct Nest: Encodable, Sendable { var tree = "oak" }
    struct Filter: Decodable, Sendable { let tree: String? }

    @Test func `a status that is written as a number is described by its name`() async throws {
        let application = try Application(api: APIDescription(title: "Nests", version: "1")) { routes in
            routes.group(Path("/api"), described: true) { routes in
                routes.post(Path("/nests"), Search.self, status: 201) { _, _ in Nest() }
            }
        }
        let document = try await TestClient(application).get("/api/openapi.json").json(JSONValue.self)
        let responses = document["paths"]?["/api/nests"]?["post"]?["responses"]
        #expect(responses?["201"]?["description"] == "Created")
    }

    struct Faults: Encodable, Sendable { var errors: [String] }

    @Test func `errors of an own format have a schema if their type is told`() async throws {
        let make = { @Sendable (error: HTTPError, _: Request) in Response.json(Faults(errors: [error.message ?? ""])) }
        for isTold in [true, false] {
            let pages = ErrorPages(isTold ? .json(as: Faults.self, make) : .json(make))
            let application = try Application(
                api: APIDescription(title: "Nests", version: "1"), middleware: [pages]
            ) { routes in
                routes.get(Path("/nests/{id}", Int.self)) { _, _ -> String in throw HTTPError(.notFound, "None.") }
                    .describe("Shows a nest.")
            }
            let client = TestClient(application)
            let document = try await client.get("/api/openapi.json").json(JSONValue.self)
            let responses = document["paths"]?["/nests/{id}"]?["get"]?["responses"]
            for status in ["404", "default"] {
                let schema = responses?[status]?["content"]?["application/json"]?["schema"]
                #expect((schema?["$ref"]?.text?.hasSuffix("Faults") ?? false) == isTold)
            }
            #expect(document["components"]?["responses"] == nil)
            #expect(try await client.get("/nests/1").text == #"{"errors":["None."]}"#)
        }
    }

    @Test func `a page of a list is described by what the handler returns`() async throws {
        let application = try Application(api: APIDescription(title: "Nests", version: "1")) { routes in
            routes.get(Path("/nests")) { _ in Page([Nest()], links: PageLinks(next: "/nests?after=1")) }
                .describe("Lists the nests.", query: Filter.self)
        }
        let document = try await TestClient(application).get("/api/openapi.json").json(JSONValue.self)
        let list = document["paths"]?["/nests"]?["get"]
        guard case .array(let parameters) = list?["parameters"] else { Issue.record("There are none."); return }
        #expect(parameters.map { $0["name"] } == ["tree", "limit", "after", "before"])
        let good = list?["responses"]?["200"]
        #expect(good?["headers"]?["Link"] != nil)
        let schema = good?["content"]?["application/json"]?["schema"]
        #expect(schema?["type"] == "array" && schema?["items"]?["$ref"] != nil)
    }

    @Test func `a page of a list refuses a wrong parameter`() async throws {
        let application = try Application(api: APIDescription(title: "Nests", version: "1")) { routes in
            routes.get(Path("/nests")) { request in Page(read: [Nest](), for: try PageQuery(request)) { $0.tree } }
                .describe("Lists the nests.")
        }
        let client = TestClient(application)
        let document = try await client.get("/api/openapi.json").json(JSONValue.self)
        #expect(document["paths"]?["/nests"]?["get"]?["responses"]?["400"]?["description"] == "A parameter is wrong.")
        #expect(try await client.get("/nests?limit=201").status == .badRequest)
    }

    @Test func `a merge patch is described`() async throws {
        let application = try Application(api: APIDescription(title: "Nests", version: "1")) { routes in
            routes.patch(Path("/nest"), Patch.self) { _, _ in "fine" }.describe("Changes the nest.")
            routes.query(Path("/nest"), Search.self) { _, _ in "fine" }.describe("Searches.")
        }
        let document = try await TestClient(application).get("/api/openapi.json").json(JSONValue.self)
        let patch = document["components"]?["schemas"]?.text(at: "SmallthingsofanAPIPatch") ?? ""
        #expect(patch.contains(#""tree":{"type":["string","null"]}"#), "\(patch)")
        #expect(!patch.contains("required"))
        #expect(document["paths"]?["/nest"]?["x-query"]?["summary"] == "Searches.")
    }

    @Test func `a client that has the description already is told so`() async throws {
        let application = try Application(api: APIDescription(title: "Nests", version: "1")) { routes in
            routes.get(Path("/nests")) { _ in "oak" }.describe("Lists the nests.")
        }
        let client = TestClient(application)
        for path in ["/api/openapi.json", "/api/docs"] {
            let tag = try #require(try await client.get(path).headers[.eTag])
            let second = try await client.get(path, headers: [.ifNoneMatch: tag])
            #expect(second.status == .notModified && second.body.isEmpty)
            #expect(second.headers[.eTag] == tag && second.headers[.cacheControl] == "no-cache")
            #expect(try await client.get(path, headers: [.ifNoneMatch: "\"x\""]).status == .ok)
        }
    }

    @Test func `deprecated routes say since when, and until when`() async throws {
        let old = Deprecated(
            since: Date(timeIntervalSince1970: 1_688_169_599), sunset: Date(timeIntervalSince1970: 1_719_791_999),
            link: "https://example.com/new")
        let application = try Application(api: APIDescription(title: "Nests", version: "1")) { routes in
            routes.group(middleware: [old], described: true) { routes in
                routes.get(Path("/old")) { _ in "old" }
                routes.get(Path("/gone")) { _ -> String in throw HTTPError(.gone) }
            }
        }
        let client = TestClient(application)
        let headers = try await client.get("/old").headers
        #expect(headers[try #require(HTTPField.Name("Deprecation"))] == "@1688169599")
        let gone = try await client.get("/gone")
        #expect(gone.status == .gone)
        #expect(gone.headers[try #require(HTTPField.Name("Deprecation"))] == "@1688169599")
        #expect(headers[try #require(HTTPField.Name("Sunset"))] == "Sun, 30 Jun 2024 23:59:59 GMT")
        #expect(headers[.link] == #"<https://example.com/new>; rel="deprecation""#)
        let document = try await client.get("/api/openapi.json").json(JSONValue.self)
        #expect(document["paths"]?["/old"]?["get"]?["deprecated"] == true)
    }
}

extension JSONValue {
    /// A member as a text.
    fileprivate func text(at name: String) -> String? {
        self[name].flatMap { try? JSONCoder(layout: .sorted).string($0) }
    }
}
