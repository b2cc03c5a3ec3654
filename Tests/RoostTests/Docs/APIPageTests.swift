import Roost
import RoostTesting
import Testing

/// The page about APIs that describe themselves: its programs are compiled in APISite.swift, and used here.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `The page about APIs` {
    @Test(.quietLog) func `a stork is added and changed`() async throws {
        let client = TestClient(try makeStorkApp())
        let added = try await client.post("/api/storks", json: ["ring": "AB12", "kind": "white"])
        #expect(added.status == .created)
        let changed = try await client.patch("/api/storks/1", json: ["weight": 1.5])
        #expect(try changed.json(Stork.self).weight == 1.5)
        #expect(try await client.get("/api/storks?kind=black").json([Stork].self).isEmpty)
    }

    @Test func `its programs are compiled`() {
        let programs = Readme.programs(of: "docs/api.md", missingIn: ["Docs/APISite", "Docs/APIPageTests"])
        #expect(programs.count == 6)
        #expect(programs.missing == [])
    }

    @Test func `a refused input and an unknown stork are described`() async throws {
        let client = TestClient(try makeStorkApp())
        let wrong = try await client.post("/api/storks", json: ["ring": "x", "kind": "white"])
        #expect(wrong.status == .unprocessableContent)
        #expect(try await client.get("/api/storks/7").status == .notFound)
        #expect(try await client.delete("/api/storks/7").status == .notFound)
        _ = try await client.post("/api/storks", json: ["ring": "AB12", "kind": "white"])
        #expect(try await client.delete("/api/storks/1").status == .noContent)
    }

    @Test func `a list says its orders and the most of its rows`() async throws {
        let application = try Application(api: APIDescription(title: "Storks", version: "1")) { routes in
            routes.get(Path("/storks"), StorkQuery.self) { request, _ -> Page<Stork> in
                let query = try PageQuery(request, limit: 20)
                return Page(read: [Stork](), for: query) { "\($0.id)" }
            }
            .describe("Lists the storks.")
        }
        let client = TestClient(application)
        let document = try await client.get("/api/openapi.json").json(JSONValue.self)
        guard case .array(let parameters) = document["paths"]?["/storks"]?["get"]?["parameters"] else {
            Issue.record("There are none.")
            return
        }
        #expect(parameters.map { $0["name"] } == ["sort", "limit", "after", "before"])
        #expect(parameters.first?["schema"] == ["enum": ["-ring", "ring"], "type": "string"])
        #expect(parameters.dropFirst().first?["schema"]?["maximum"] == 200)
        for query in ["sort=name", "limit=201"] {
            #expect(try await client.get("/storks?" + query).status == .badRequest, "\(query)")
        }
        #expect(try await client.get("/storks?sort=-ring&limit=200").status == .ok)
    }

    @Test func `it is described without a word more than there is`() async throws {
        let document = try await TestClient(makeStorkApp()).get("/api/openapi.json").json(JSONValue.self)
        let schemas = document["components"]?["schemas"]
        #expect(
            schemas?["StorkInput"]?["properties"]?["weight"]
                == ["format": "double", "maximum": 20, "minimum": 0.01, "type": ["number", "null"]])
        #expect(schemas?["StorkKind"] == ["enum": ["white", "black"], "type": "string"])
        #expect(schemas?["StorkPatch"]?["required"] == nil)
        #expect(document["paths"]?["/api/storks/{id}"]?["patch"]?["responses"]?["404"] != nil)
    }
}
