import RoostTesting
import Testing

@testable import Roost

/// A type of the application with the name of one of Roost's.
private struct ProblemDetails: Encodable, Sendable { var nest = "oak" }

private struct 鳥: Codable {}

/// The names under which the schemas of an API refer to each other.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `Names of schemas` {
    private struct Shelf: Codable {
        let shelves: [Shelf]

        init(from decoder: any Decoder) throws { shelves = try decoder.singleValueContainer().decode([Shelf].self) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(shelves)
        }
    }

    @Test(arguments: [SchemaBook.Direction.input, .output])
    func `a list of its own kind has a name to refer to`(direction: SchemaBook.Direction) throws {
        let book = SchemaBook(JSONCoder())
        let reference: JSONValue = ["$ref": "#/components/schemas/NamesofschemasShelf"]
        #expect(try book.schema(of: Shelf.self, direction) == reference)
        #expect(book.components.map(\.name) == ["NamesofschemasShelf"])
        #expect(book.components.first?.value == ["type": "array", "items": reference])
    }

    @Test func `a name without letters of ASCII is Type`() {
        #expect(SchemaBook.name(of: 鳥.self) == "Type")
        #expect(SchemaBook.name(of: Shelf.self) == "NamesofschemasShelf")
    }

    @Test func `problem details have another name if a type of the application has theirs`() async throws {
        let application = try Application(api: APIDescription(title: "Nests", version: "1")) { routes in
            routes.get(Path("/problems")) { _ in JSON(ProblemDetails()) }.describe("Lists problems.")
        }
        let document = try await TestClient(application).get("/api/openapi.json").json(JSONValue.self)
        let schemas = document["components"]?["schemas"]
        let content = document["components"]?["responses"]?["Problem"]?["content"]?["application/problem+json"]
        #expect(content?["schema"] == ["$ref": "#/components/schemas/ProblemDetails2"])
        #expect(schemas?["ProblemDetails"]?["properties"]?["nest"] != nil)
        #expect(schemas?["ProblemDetails2"]?["properties"]?["title"] != nil)
    }
}
