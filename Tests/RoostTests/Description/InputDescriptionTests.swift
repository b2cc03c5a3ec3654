import FoundationEssentials
import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// What the description of an API says of input is what the server reads.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `Input as it is described` {
    private static func client(_ coder: JSONCoder? = nil, _ routes: (Routes) -> Void) throws -> TestClient {
        TestClient(try Application(json: coder, api: APIDescription(title: "Nests", version: "1"), routes: routes))
    }

    private static func document(_ client: TestClient) async throws -> JSONValue {
        let text = try await client.get("/api/openapi.json").text
        return try JSONCoder().decode(JSONValue.self, from: Array(text.utf8))
    }

    struct Portrait: Decodable, Sendable {
        var fullName: String
        var takenAt: Date
        var isPublic: Bool
        var tags: [String]
        var picture: UploadedFile
    }

    @Test func `a form with files has names and dates of its own, whatever those of JSON are`() async throws {
        let client = try Self.client(JSONCoder(keys: .snakeCase, dates: .secondsSince1970)) { routes in
            routes.post(Path("/portraits"), Portrait.self) { _, portrait in
                "\(portrait.fullName) \(portrait.takenAt.timeIntervalSince1970) \(portrait.tags)"
            }
            .describe("Adds a portrait.")
        }
        let body = try await Self.document(client)["paths"]?["/portraits"]?["post"]?["requestBody"]
        let schema = body?["content"]?["multipart/form-data"]?["schema"]
        #expect(schema?["properties"]?["takenAt"]?["format"] == "date-time")
        #expect(schema?["required"] == ["fullName", "takenAt", "picture"])
        let parts: [FormPart] = [
            .field("fullName", "Ada"), .field("takenAt", "1970-01-01T00:00:01Z"), .file("picture", "a.png", [1]),
        ]
        #expect(try await client.post("/portraits", multipart: parts).text == "Ada 1.0 []")
    }

    struct NestFilter: Decodable, Sendable {
        var tree: String
        var isWarm: Bool
        var birds: [String]
        var colors: Set<String>
    }

    @Test func `a Boolean and a list may be missing in a query`() async throws {
        let client = try Self.client { routes in
            routes.get(Path("/nests"), NestFilter.self) { _, filter in "\(filter.isWarm) \(filter.birds)" }
                .describe("Lists the nests.")
        }
        let parameters = try await Self.document(client)["paths"]?["/nests"]?["get"]?["parameters"]?.elements ?? []
        #expect(parameters.map { $0["required"] } == [true, false, false, false])
        #expect(try await client.get("/nests?tree=oak").text == "false []")
    }

    struct OfferFilter: Decodable, Sendable {
        var price: Decimal
        var link: URL
    }

    @Test func `a decimal number and a URL are read from a query`() async throws {
        let client = try Self.client { routes in
            routes.get(Path("/offers"), OfferFilter.self) { _, offer in "\(offer.price) \(offer.link.absoluteString)" }
                .describe("Lists the offers.")
        }
        let parameters = try await Self.document(client)["paths"]?["/offers"]?["get"]?["parameters"]?.elements ?? []
        #expect(parameters.first?["schema"] == ["type": "number"])
        #expect(parameters.last?["schema"] == ["format": "uri", "type": "string"])
        let link = "link=https%3A%2F%2Fexample.com%2F"
        for (price, number) in [("1234567890123456789.10", "1234567890123456789.1"), (".5", "0.5"), ("-1e2", "-100")] {
            #expect(try await client.get("/offers?price=\(price)&\(link)").text == "\(number) https://example.com/")
        }
        for price in ["x", "", "1x", "1%20", "0x1p3", "nan", "1e200"] {
            let refused = try await client.get("/offers?price=\(price)&\(link)")
            #expect(refused.status == .badRequest && refused.text.contains("Must be a number."), "\(price)")
        }
        let both = try await client.get("/offers?price=x&link=").text
        #expect(both.contains("Must be a number.") && both.contains("Is not valid."))
    }

    struct Booking: Decodable, Validatable, Sendable {
        var day: LocalDate
        var start: LocalDateTime
        var end: LocalDateTime?
        var password: String
        var code: String

        mutating func validate(_ check: inout Validation) {
            check("end", end, .required)
            check("password", &password, .required, .length(8...))
            check("code", &code, .length(...2))
        }
    }

    @Test func `the example with which a person begins is accepted`() async throws {
        let client = try Self.client { routes in
            routes.post(Path("/bookings"), Booking.self) { _, booking in "\(booking.day) \(booking.code)" }
                .describe("Adds a booking.")
        }
        let document = try await Self.document(client)
        let body = document["paths"]?["/bookings"]?["post"]?["requestBody"]
        let schema = try #require(body?["content"]?["application/json"]?["schema"])
        let example = SchemaText(document).example(of: schema)
        let json: Headers = [.contentType: "application/json"]
        let response = try await client.post("/bookings", headers: json, body: Array(example.utf8))
        #expect(response.text == "2026-01-31 te", "\(example)")
    }

    struct Clutch: Decodable, Validatable, Sendable {
        var colors: [String]
        var names: Set<String>?
        var weights: [Double]

        mutating func validate(_ check: inout Validation) {
            check("colors", colors, .count(2...3))
            check("names", names, .count(...1))
            check("weights", weights, .count(...0))
        }
    }

    @Test func `the numbers of entries of lists are limits that the server keeps`() async throws {
        let client = try Self.client { routes in
            routes.post(Path("/clutches"), Clutch.self) { _, clutch in "\(clutch.colors)" }.describe("Adds a clutch.")
            routes.get(Path("/clutches"), Clutch.self) { _, clutch in "\(clutch.colors)" }
                .describe("Finds clutches.")
        }
        let document = try await Self.document(client)
        let reference = document["paths"]?["/clutches"]?["post"]?["requestBody"]?["content"]?["application/json"]
        let schema = document.resolved(try #require(reference?["schema"]))
        let (colors, names) = (schema["properties"]?["colors"], schema["properties"]?["names"])
        #expect(colors == ["items": ["type": "string"], "maxItems": 3, "minItems": 2, "type": "array"])
        #expect(names == ["items": ["type": "string"], "maxItems": 1, "type": ["array", "null"]])
        let text = SchemaText(document).text(of: schema)
        #expect(text.contains("colors: list (2 to 3 entries) of string"), "\(text)")
        #expect(text.contains("names?: list (at most 1 entry) of string"), "\(text)")
        let json: Headers = [.contentType: "application/json"]
        let example = SchemaText(document).example(of: schema)
        let response = try await client.post("/clutches", headers: json, body: Array(example.utf8))
        #expect(response.text == #"["text", "text"]"#, "\(example)")
        for (count, fault) in [(1, "few"), (4, "many")] {
            let colors = [String](repeating: "a", count: count)
            let value: JSONValue = ["colors": .array(colors.map { .string($0) }), "weights": []]
            let refused = try await client.post("/clutches", json: value)
            #expect(refused.status == .unprocessableContent, "\(refused.text)")
            var check = SchemaCheck(document)
            check.check(value, schema)
            #expect(check.faults == ["/colors has too \(fault) entries"])
        }
        let parameters = document["paths"]?["/clutches"]?["get"]?["parameters"]?.elements ?? []
        #expect(parameters.map { $0["required"] } == [true, false, false])
        #expect(try await client.get("/clutches").status == .badRequest)
    }

    @Test func `a parameter of a path that has segments is sent with its slashes`() async throws {
        let client = try Self.client { routes in
            routes.get(Path("/names/{name}", String.self)) { _, name in name }.describe("Shows a name.")
            routes.get(Path("/places/{place}", RemainingPath.self)) { _, place in place.pathSegment }
                .describe("Shows a place.")
        }
        let parameters = try await Self.document(client)["paths"]?["/places/{place}"]?["get"]?["parameters"]
        #expect(parameters?.elements.first?["schema"]?["format"] == "path")
        let page = try await client.get("/api/docs").text
        #expect(page.contains(#"name="name" data-place="path""#))
        #expect(page.contains(#"name="place" data-place="segments""#))
    }
}
