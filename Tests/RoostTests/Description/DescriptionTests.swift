import Roost
import RoostTesting
import Testing

/// The description of an API by its routes.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `The description of an API` {
    struct Nest: Codable, Sendable, Equatable {
        let id: Int
        var tree: String
    }

    struct NestInput: Decodable, Validatable, Sendable {
        var tree: String

        mutating func validate(_ check: inout Validation) { check("tree", &tree, .trimmed, .required, .length(...40)) }
    }

    struct NestFilter: Decodable {
        var tree: String?
        var limit: Int?
        var order: Order?

        enum Order: String, Decodable, CaseIterable { case name, age }
    }

    struct Key: DescribedMiddleware {
        var effects: MiddlewareEffects { MiddlewareEffects(credentials: [.bearer(scopes: ["nests:write"])]) }
        func respond(to request: Request, next: Next) async throws -> Response {
            guard request.credentials("Bearer") == "secret" else { throw HTTPError(.unauthorized) }
            return try await next(request)
        }
    }

    static let all = Path("/nests")
    static let one = Path("/nests/{id}", Int.self)

    static func application(json: JSONCoder? = nil, _ more: (Routes) -> Void = { _ in }) throws -> Application {
        try Application(json: json, api: APIDescription(title: "Nests", version: "1")) { routes in
            routes.get(Path("/hidden")) { _ in "hidden" }
            routes.group(Path("/api"), described: true) { api in
                api.get(all, NestFilter.self) { _, filter in [Nest(id: 1, tree: filter.tree ?? "oak")] }
                    .describe("Lists the nests.", isPaginated: true)
                api.get(one) { _, id in
                    guard id == 1 else { throw HTTPError(.notFound) }
                    return JSON(Nest(id: id, tree: "oak"))
                }
                api.group(middleware: [Key()]) { api in
                    api.post(all, NestInput.self, status: .created) { _, input in Nest(id: 2, tree: input.tree) }
                        .describe("Adds a nest.", responses: [.conflict: "The tree has a nest."])
                    api.delete(one) { _, _ in Response(.noContent) }.describe("Removes a nest.", status: .noContent)
                }
                more(api)
            }
        }
    }

    private func document(_ more: (Routes) -> Void = { _ in }) async throws -> JSONValue {
        try await TestClient(Self.application(more)).get("/api/openapi.json").json(JSONValue.self)
    }

    @Test func `routes of described groups are in it, and no others`() async throws {
        let document = try await document()
        #expect(document["openapi"] == "3.1.0")
        #expect(document["info"] == ["title": "Nests", "version": "1"])
        #expect(document["paths"]?["/hidden"] == nil)
        #expect(document["paths"]?["/api/nests"]?["get"]?["summary"] == "Lists the nests.")
        #expect(document["paths"]?["/api/nests"]?["get"]?["operationId"] == "getApiNests")
        #expect(document["paths"]?["/api/nests/{id}"]?["get"]?["operationId"] == "getApiNestsById")
    }

    @Test func `what the compiler knows is in it`() async throws {
        let document = try await document()
        let list = document["paths"]?["/api/nests"]?["get"]
        #expect(
            list?["parameters"] == [
                ["in": "query", "name": "tree", "required": false, "schema": ["type": "string"]],
                [
                    "in": "query", "name": "limit", "required": false,
                    "schema": [
                        "format": "int64", "maximum": 9_223_372_036_854_775_807, "minimum": -9_223_372_036_854_775_808,
                        "type": "integer",
                    ],
                ],
                [
                    "in": "query", "name": "order", "required": false,
                    "schema": ["enum": ["name", "age"], "type": "string"],
                ],
            ])
        let add = document["paths"]?["/api/nests"]?["post"]
        let schemas = document["components"]?["schemas"]
        #expect(
            add?["requestBody"]?["content"]?["application/json"]?["schema"]
                == ["$ref": "#/components/schemas/ThedescriptionofanAPINestInput"])
        #expect(schemas?["ThedescriptionofanAPINestInput"]?["properties"]?["tree"]?["maxLength"] == 40)
        #expect(add?["responses"]?["201"]?["content"]?["application/json"] != nil)
        #expect(add?["responses"]?["409"]?["description"] == "The tree has a nest.")
        #expect(add?["responses"]?["422"]?["content"]?["application/problem+json"] != nil)
        #expect(list?["responses"]?["200"]?["headers"]?["Link"] != nil)
    }

    @Test func `guards are in it with their scopes`() async throws {
        let document = try await document()
        #expect(document["paths"]?["/api/nests"]?["post"]?["security"] == [["bearer": ["nests:write"]]])
        #expect(document["paths"]?["/api/nests"]?["get"]?["security"] == nil)
        #expect(document["components"]?["securitySchemes"] == ["bearer": ["scheme": "bearer", "type": "http"]])
        #expect(document["paths"]?["/api/nests"]?["post"]?["responses"]?["401"] != nil)
    }

    @Test func `of guards around each other all scopes are in it`() async throws {
        struct Reads: DescribedMiddleware {
            var effects: MiddlewareEffects { MiddlewareEffects(credentials: [.bearer(scopes: ["nests:read"])]) }
            func respond(to request: Request, next: Next) async throws -> Response { try await next(request) }
        }
        let document = try await document { api in
            api.group(middleware: [Reads()]) { api in
                api.group(middleware: [Key()]) { $0.get(Path("/both")) { _ in JSON(Nest(id: 1, tree: "oak")) } }
            }
        }
        let security = document["paths"]?["/api/both"]?["get"]?["security"]
        #expect(security == [["bearer": ["nests:read", "nests:write"]]])
    }

    @Test func `a typed route reads its input and writes its result`() async throws {
        let client = TestClient(try Self.application())
        #expect(try await client.get("/api/nests?tree=elm").json([Nest].self) == [Nest(id: 1, tree: "elm")])
        #expect(try await client.get("/api/nests?limit=x").status == .badRequest)
        let headers: Headers = [.authorization: "Bearer secret"]
        let added = try await client.post("/api/nests", json: ["tree": " ash "], headers: headers)
        #expect(added.status == .created)
        #expect(try added.json(Nest.self) == Nest(id: 2, tree: "ash"))
        #expect(
            try await client.post("/api/nests", json: ["tree": ""], headers: headers).status == .unprocessableContent)
        #expect(try await client.post("/api/nests", json: ["tree": "a"]).status == .unauthorized)
        #expect(try await client.delete("/api/nests/1", headers: headers).status == .noContent)
        #expect(try await client.get("/api/nests/7").status == .notFound)
    }

    @Test func `the page shows it, and its files come from here`() async throws {
        let client = TestClient(try Self.application())
        let page = try await client.get("/api/docs")
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.text.contains("Lists the nests."))
        #expect(page.text.contains("tree: string (1 to 40 characters)"))
        #expect(page.text.contains(#"<script src="/api/docs/try.js" defer></script>"#))
        #expect(!page.text.contains("style=") && !page.text.contains("<script>"))
        #expect(try await client.get("/api/docs/try.js").headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(try await client.get("/api/docs/style.css").headers[.contentType] == "text/css; charset=utf-8")
    }

    @Test(arguments: ["/", "/docs/"])
    func `the page may have a path that ends in a slash`(path: String) async throws {
        let api = APIDescription(title: "Nests", version: "1", page: path)
        let client = TestClient(try Application(api: api) { _ in })
        let page = try await client.get(path)
        #expect(page.status == .ok)
        let files = page.text.matches(of: /(?:href|src)="(\/[^"#]*)"/).map { String($0.1) }
        #expect(files.count == 3)
        for file in files { #expect(try await client.get(file).status == .ok, "\(file)") }
    }

    @Test func `an application that does not ask for it has none`() async throws {
        let client = try TestClient { routes in
            routes.group(Path("/api"), described: true) { $0.get(Self.all) { _ in "none" } }
        }
        #expect(try await client.get("/api/openapi.json").status == .notFound)
    }

    enum Kind: String, Codable { case small }

    @Test func `a type that cannot be described stops the start`() {
        let error = #expect(throws: StartError.self) {
            try Self.application { $0.get(Path("/kinds")) { _ in JSON([Kind.small]) } }
        }
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains("GET /api/kinds (RoostTests/DescriptionTests.swift:"))
        #expect(text.contains("Kind cannot be described: its init(from:) takes none of the samples"))
        #expect(text.contains("make it CaseIterable."))
    }

    // MARK: Checking

    private func mismatch(
        _ path: String, json: JSONCoder? = nil, _ more: @escaping (Routes) -> Void
    ) async throws -> String? {
        let client = TestClient(try Self.application(json: json, more))
        client.checksDescription = false
        let text = try await client.get(path).headers[try #require(HTTPField.Name("Description-Mismatch"))]
        client.checksDescription = true
        if text != nil { await #expect(throws: UnexpectedResponse.self) { try await client.get(path) } }
        return text
    }

    struct Empty: Codable, Sendable {}

    @Test func `a response that differs from its description is noticed`() async throws {
        let path = Path("/wrong")
        let status = try await mismatch("/api/wrong") { $0.get(path) { _ in Response(.accepted) } }
        #expect(
            status == "GET /api/wrong differs from its description: it responded 202, which is not described.")
        let member = try await mismatch("/api/wrong") {
            $0.get(path) { _ in Response.json(["id": "x", "more": "y"]) }.describe("A nest.", returns: Nest.self)
        }
        #expect(
            member == "GET /api/wrong differs from its description: /tree is missing; /id is not integer; "
                + "/more is not described.")
        let type = try await mismatch("/api/wrong") {
            $0.get(path) { _ in Response.text("x") }.describe("A nest.", returns: Nest.self)
        }
        #expect(type?.hasSuffix("its content is text/plain, which is not described.") == true)
        let input = try await mismatch("/api/wrong") {
            $0.get(path) { request in
                _ = try request.decodeQuery(NestFilter.self)
                return "fine"
            }
        }
        #expect(input?.hasSuffix("it decodes NestFilter from the query, which is not described.") == true)
        // What a client may send at most says nothing about a response.
        let limits = JSONCoder(maximumMembers: 10, maximumValues: 20)
        let many = try await mismatch("/api/wrong", json: limits) {
            $0.get(path) { _ in
                JSON(Dictionary(uniqueKeysWithValues: (0...10).map { ("\($0)", Array(repeating: 1, count: 20)) }))
            }
        }
        #expect(many == nil)
        #expect(try await mismatch("/api/nests/1") { _ in } == nil)
        #expect(try await mismatch("/api/nests/2") { _ in } == nil)
    }

    @Test func `content that is no JSON is described by its media type`() async throws {
        let more = { (routes: Routes) in
            routes.get(Path("/nests.csv")) { _ -> Response in
                try .csv([Nest(id: 1, tree: "oak")], fileName: "nests.csv")
            }
            .describe("Lists the nests.", contentType: .csv)
            routes.get(Path("/picture")) { _ in Response(.ok, "image/png", Body([0x89])) }
                .describe("Shows a nest.", contentType: MediaType("image", "*"))
            routes.get(Path("/wrong")) { _ in Response(.ok, "image/png", Body([0x89])) }
                .describe("Lists the nests.", contentType: .csv)
            routes.get(Path("/merged")) { _ in
                Response.json(Nest(id: 1, tree: "oak"), headers: [.contentType: "application/vnd.nest+json"])
            }
            .describe("A nest.", returns: Nest.self, contentType: MediaType("application", "vnd.nest+json"))
        }
        let paths = try await document(more)["paths"]
        func content(_ path: String) -> JSONValue? { paths?[path]?["get"]?["responses"]?["200"]?["content"] }
        #expect(content("/api/nests.csv") == ["text/csv": ["schema": ["type": "string"]]])
        #expect(content("/api/picture") == ["image/*": ["schema": [:]]])
        #expect(content("/api/merged")?["application/vnd.nest+json"]?["schema"]?["$ref"] != nil)
        for path in ["/api/nests.csv", "/api/picture", "/api/merged"] {
            #expect(try await mismatch(path, more) == nil, "\(path)")
        }
        let wrong = try await mismatch("/api/wrong", more)
        #expect(wrong?.hasSuffix("its content is image/png, which is not described.") == true)
    }

    @Test func `of a file and a stream the type is compared, too`() async throws {
        let rows = { @Sendable in
            AsyncStream<Nest> { continuation in
                continuation.yield(Nest(id: 1, tree: "oak"))
                continuation.finish()
            }
        }
        let more = { (routes: Routes) in
            for (path, type) in [("/right", "application/pdf"), ("/wrong", "text/plain")] {
                routes.get(FixedPath(path)) { _ in try Response.file(#filePath, contentType: type) }
                    .describe("The handbook.", contentType: MediaType("application", "pdf"))
            }
            routes.get(Path("/nests.csv")) { _ in Response.csv(rows(), fileName: "nests.csv") }
                .describe("Lists the nests.", contentType: .csv)
            routes.get(Path("/forgotten.csv")) { _ in Response.csv(rows(), fileName: "nests.csv") }
                .describe("Lists the nests.")
            routes.events(Path("/events")) { _, _ in }.describe("Tells of nests.")
        }
        for path in ["/api/right", "/api/nests.csv", "/api/events"] {
            #expect(try await mismatch(path, more) == nil, "\(path)")
        }
        let wrong = try await mismatch("/api/wrong", more)
        #expect(wrong?.hasSuffix("its content is text/plain, which is not described.") == true)
        let forgotten = try await mismatch("/api/forgotten.csv", more)
        #expect(forgotten?.hasSuffix("it has content, which is not described.") == true)
    }
}
