import FoundationEssentials
import RoostTesting
import Testing

@testable import Roost

/// A description that would not hold stops the start, or leaves out what others would misunderstand.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `Mistakes of types` {
    /// The schema of what is read.
    private func schema(_ type: any Any.Type) throws -> JSONValue {
        try SchemaBook(JSONCoder(), isInline: true).schema(of: type, .input)
    }

    private func mistake(_ type: any Any.Type, _ coder: JSONCoder = JSONCoder()) -> String? {
        let error = #expect(throws: Undescribable.self) { try SchemaBook(coder).schema(of: type, .input) }
        return error?.description
    }

    // MARK: Rules

    private struct Address: Decodable, Validatable {
        var town: String

        mutating func validate(_ check: inout Validation) { check("town", &town, .required) }
    }

    private struct Guest: Decodable { var address: Address }

    private struct Party: Decodable, Validatable {
        var title: String
        var others: [Address]?

        mutating func validate(_ check: inout Validation) { check("title", &title, .required) }
    }

    private struct Checked: Decodable, Validatable {
        private enum CodingKeys: String, CodingKey {
            case home = "home_address"
            case others, byName
        }

        var home: Address
        var others: [Address]?
        var byName: [String: Address]

        mutating func validate(_ check: inout Validation) {
            check("home_address", &home)
            check("others", &others)
            check("byName", &byName)
        }
    }

    /// Checks a part only sometimes, and never for a sample.
    private struct Sometimes: Decodable, Validatable {
        var others: [Address]
        var home: Address

        mutating func validate(_ check: inout Validation) {
            for index in others.indices { check("others/\(index)", &others[index]) }
            check("home", &home)
        }
    }

    @Test func `rules of a part that its type does not check are not described`() throws {
        let types: [(type: any Any.Type, member: String)] = [
            (Guest.self, "address"), (Party.self, "others"), (Sometimes.self, "others"),
        ]
        for (type, member) in types {
            let book = SchemaBook(JSONCoder(), isInline: true)
            let part = try book.schema(of: type, .input)["properties"]?[member]
            let town = (part?["items"] ?? part)?["properties"]?["town"]
            #expect(town == ["type": "string"])
            #expect(
                book.warnings == [
                    "The API's description leaves out the rules of \(type)'s member \(member), which \(type) does not "
                        + "check, or not in all cases: write check(\"\(member)\", &\(member)) in its validate, "
                        + "outside of any if."
                ])
        }
    }

    @Test func `rules of a part that its type checks are described`() throws {
        let town = try schema(Checked.self)["properties"]?["home_address"]?["properties"]?["town"]
        #expect(town == ["type": "string", "minLength": 1])
        let book = SchemaBook(JSONCoder())
        _ = try book.schema(of: Guest.self, .input)
        _ = try book.schema(of: Sometimes.self, .input)
        _ = try book.schema(of: Address.self, .input)
        let prefix = "Mistakesoftypes"
        let names = ["Guest", "Address", "Sometimes", "AddressInput"].map { prefix + $0 }
        #expect(book.components.map(\.name) == names)
        #expect(book.components[1].value["properties"]?["town"] == ["type": "string"])
        #expect(book.components[3].value["properties"]?["town"] == ["type": "string", "minLength": 1])
    }

    private struct Codes: Decodable, Validatable {
        var loose: String
        var anchored: String
        var day: String
        var number: String
        var word: String

        mutating func validate(_ check: inout Validation) {
            check("loose", &loose, .pattern(/(?i)[a-z]{2}/))
            check("anchored", &anchored, .pattern(/\A[a-z]+\z/))
            check("day", &day, .pattern(/[0-9]{4}-[0-9]{2}/))
            check("number", &number, .pattern(/(?:a|b)[\w.-]+\/\d*\p{Lu}/))
            check("word", &word, .pattern(/\p{L}+/))
        }
    }

    @Test func `a pattern that only Swift knows is not described`() throws {
        let members = try schema(Codes.self)["properties"]
        #expect(members?["loose"] == ["type": "string"])
        #expect(members?["anchored"] == ["type": "string"])
        #expect(members?["day"]?["pattern"] == "^(?:[0-9]{4}-[0-9]{2})$")
        #expect(members?["number"]?["pattern"] == #"^(?:(?:a|b)[\w\.\-]+/\d*\p{Lu})$"#)
        #expect(members?["word"]?["pattern"] == #"^(?:\p{L}+)$"#)
    }

    private struct Amounts: Decodable, Validatable {
        var price: Decimal
        var id: UInt64

        func validate(_ check: inout Validation) {
            check("price", price, .range(0.5...1000))
            check("id", id, .range((UInt64.max - 1)...))
        }
    }

    @Test func `bounds that are decimal are described, and those that no Double is are not`() throws {
        let members = try schema(Amounts.self)["properties"]
        #expect(members?["price"] == ["type": "number", "minimum": 0.5, "maximum": .number(1000)])
        // No number of JSON is as large, and not larger.
        #expect(members?["id"]?["minimum"] == 0)
    }

    // MARK: Enumerations

    private enum Rank: Int, Codable { case low, high }

    private enum Letter: String, Codable { case a, b }

    /// Takes any text.
    private enum Kind: String, Codable {
        case nothing = ""
        case barn
        case unknown

        init(from decoder: any Decoder) throws {
            self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
        }
    }

    private struct Task: Decodable {
        var rank: Rank?
        var letters: [Letter]
    }

    /// Any text is one of its values.
    private enum Tag: RawRepresentable, Decodable {
        case known
        case other(String)

        init(rawValue: String) { self = rawValue == "known" ? .known : .other(rawValue) }

        var rawValue: String { if case .other(let text) = self { text } else { "known" } }
    }

    @Test func `an enumeration that does not list its cases is not described by the sample that is one`() throws {
        let remedy = "its cases are not listed; make it CaseIterable."
        #expect(mistake(Rank.self) == "Rank cannot be described: \(remedy)")
        #expect(mistake(Letter.self) == "Letter cannot be described: \(remedy)")
        #expect(mistake(Task.self) == "Rank cannot be described: \(remedy)")
        #expect(throws: Undescribable.self) { try SchemaBook(JSONCoder()).schema(of: Rank.self, .output) }
        #expect(try schema(Tag.self) == ["type": "string"])
        #expect(try schema(Kind.self) == ["type": "string"])
    }

    // MARK: Names

    private struct Owned: Codable {
        var userID: Int?
    }

    private struct Named: Codable {
        private enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case line2
        }

        var userID: Int?
        var line2: String
    }

    @Test func `a name that is written otherwise than read is not described`() throws {
        let snakes = JSONCoder(keys: .snakeCase)
        #expect(
            mistake(Owned.self, snakes)
                == "Owned cannot be described: its member userID is written user_id and read as userId; "
                + "give it the coding key userId.")
        let book = SchemaBook(snakes)
        _ = try book.schema(of: Named.self, .input)
        #expect(book.components.first?.value["properties"]?.members.map(\.name) == ["user_id", "line2"])
        _ = try SchemaBook(snakes).schema(of: Owned.self, .output)
        #expect(try schema(Owned.self)["properties"]?["userID"] != nil)
    }

    private struct Tree: Codable {
        var height: Int
        var branches: [Branch]

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            height = try members.decodeIfPresent(Int.self, forKey: .height) ?? 1
            branches = try members.decode([Branch].self, forKey: .branches)
        }
    }

    private struct Branch: Codable { var trees: [Tree] }

    @Test func `of two types that contain each other, what is written refers to what is written`() throws {
        let book = SchemaBook(JSONCoder())
        let input = try book.schema(of: Tree.self, .input)
        let output = try book.schema(of: Tree.self, .output)
        let prefix = "#/components/schemas/Mistakesoftypes"
        #expect(input == ["$ref": .string(prefix + "Tree")])
        #expect(output == ["$ref": .string(prefix + "TreeOutput")])
        let lists = book.components.compactMap { $0.value["properties"]?["trees"]?["items"]?["$ref"]?.text }
        #expect(lists == [prefix + "Tree", prefix + "TreeOutput"])
        let outputs = book.components.compactMap { $0.value["properties"]?["branches"]?["items"]?["$ref"]?.text }
        #expect(outputs == [prefix + "Branch", prefix + "BranchOutput"])
    }

    // MARK: Forms and queries

    private static func application(_ routes: (Routes) -> Void) throws -> Application {
        try Application(api: APIDescription(title: "Nests", version: "1"), routes: routes)
    }

    struct Portrait: Decodable, Sendable {
        var note: String?
        var picture: UploadedFile
        var detail: UploadedFile?
    }

    @Test func `a form has no null`() async throws {
        let application = try Self.application { routes in
            routes.post(Path("/portraits"), Portrait.self) { _, _ in "fine" }.describe("Adds a portrait.")
        }
        let document = try await TestClient(application).get("/api/openapi.json").json(JSONValue.self)
        let body = document["paths"]?["/portraits"]?["post"]?["requestBody"]
        let schema = body?["content"]?["multipart/form-data"]?["schema"]
        #expect(schema?["properties"]?["note"]?["type"] == "string")
        #expect(schema?["properties"]?["detail"]?["type"] == "string")
        #expect(schema?["required"] == ["picture"])
    }

    struct Frame: Decodable, Sendable { var width: Int }

    struct Search: Decodable, Sendable { var frame: Frame? }

    struct FramedPortrait: Decodable, Sendable {
        var frames: [Frame]
        var picture: UploadedFile
    }

    @Test func `a part with members is in no query and in no form`() {
        let query = #expect(throws: StartError.self) {
            try Self.application { routes in
                routes.get(Path("/portraits"), Search.self) { _, _ in "fine" }.describe("Lists the portraits.")
            }
        }
        let reason = "has members of its own, and"
        let names = "has only names and values."
        #expect("\(query.map { "\($0)" } ?? "")".contains("its member frame \(reason) a query \(names)"))
        let form = #expect(throws: StartError.self) {
            try Self.application { routes in
                routes.post(Path("/portraits"), FramedPortrait.self) { _, _ in "fine" }.describe("Adds a portrait.")
            }
        }
        #expect("\(form.map { "\($0)" } ?? "")".contains("its member frames \(reason) a form \(names)"))
    }
}
