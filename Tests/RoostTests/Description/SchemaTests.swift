import FoundationEssentials
import Testing

@testable import Roost

/// The schemas of types, by what they ask their coders for.
@Suite(.timeLimit(.minutes(5)))
struct `Schemas` {
    private func schema(
        _ type: any Any.Type, _ direction: SchemaBook.Direction = .input, _ coder: JSONCoder = JSONCoder()
    ) throws -> String {
        let book = SchemaBook(coder)
        let schema = try book.schema(of: type, direction)
        return try JSONCoder().string(JSONValue.object([.init("schema", schema)] + book.components))
    }

    private struct Nest: Codable {
        var tree: String
        var eggs: Int?
        let foundAt: Date
        var tags: [String] = []
    }

    @Test func `an object has its members, and says which may be left out`() throws {
        #expect(
            try schema(Nest.self) == """
                {"schema":{"$ref":"#/components/schemas/SchemasNest"},"SchemasNest":{"type":"object","properties":{\
                "tree":{"type":"string"},\
                "eggs":{"type":["integer","null"],"format":"int64","minimum":-9223372036854775808,\
                "maximum":9223372036854775807},\
                "foundAt":{"type":"string","format":"date-time"},\
                "tags":{"type":"array","items":{"type":"string"}}},"required":["tree","foundAt","tags"]}}
                """)
        #expect(try schema(Nest.self) == schema(Nest.self, .output))
    }

    @Test func `the application's conventions hold`() throws {
        let coder = JSONCoder(keys: .snakeCase, dates: .secondsSince1970, nils: .null)
        let text = try schema(Nest.self, .output, coder)
        #expect(text.contains(#""found_at":{"type":"number"}"#))
        #expect(text.contains(#""required":["tree","eggs","found_at","tags"]"#))
    }

    private struct Page: Encodable {
        private enum CodingKeys: String, CodingKey {
            case count = "n"
            case nests
            case next
        }

        let count: Int8
        let nests: [Nest]
        let next: String?
        let hidden = Kind.small
    }

    private enum Kind: String, Codable, CaseIterable { case small, large }

    @Test func `a type that is only written is seen through a sample of its properties`() throws {
        let text = try schema(Page.self, .output)
        #expect(text.contains(#""n":{"type":"integer","minimum":-128,"maximum":127}"#))
        #expect(text.contains(##""nests":{"type":"array","items":{"$ref":"#/components/schemas/SchemasNest"}}"##))
        #expect(text.contains(#""next":{"type":["string","null"]}},"required":["n","nests"]"#))
        #expect(!text.contains("hidden"))
    }

    private final class Tree: Codable {
        let name: String
        let kind: Kind
        let trunk: Tree?
        let branches: [Tree]
        let byName: [String: Tree]
    }

    @Test(arguments: [SchemaBook.Direction.input, .output])
    func `a type that contains itself refers to itself`(direction: SchemaBook.Direction) throws {
        let text = try schema(Tree.self, direction)
        let own = ##"{"$ref":"#/components/schemas/SchemasTree"}"##
        #expect(text.contains(#""trunk":{"anyOf":[\#(own),{"type":"null"}]}"#))
        #expect(text.contains(#""branches":{"type":"array","items":\#(own)}"#))
        #expect(text.contains(#""byName":{"type":"object","additionalProperties":\#(own)}"#))
        #expect(text.contains(#""SchemasKind":{"type":"string","enum":["small","large"]}"#))
    }

    private struct Filter: Decodable {
        var name: String?
        var or: [Filter]?
    }

    @Test func `in a query it cannot`() {
        let book = SchemaBook(JSONCoder(), isInline: true)
        #expect(throws: Undescribable.self) { try book.schema(of: Filter.self, .input) }
        #expect(throws: Undescribable.self) { try book.schema(of: Filter.self, .input) }
    }

    private enum Share: Double, Codable, CaseIterable {
        case half = 0.5
        case whole = 1
    }

    @Test func `choices that are numbers with a fraction are numbers`() throws {
        #expect(try schema(Share.self).contains(##"{"type":"number","enum":[0.5,1"##))
    }

    private struct Defaults: Codable {
        var size: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            size = try container.decodeIfPresent(Int.self, forKey: .size) ?? 3
        }
    }

    @Test func `what is read otherwise than written has two schemas`() throws {
        let book = SchemaBook(JSONCoder())
        #expect(try book.schema(of: Defaults.self, .output)["$ref"] == "#/components/schemas/SchemasDefaults")
        #expect(try book.schema(of: Defaults.self, .input)["$ref"] == "#/components/schemas/SchemasDefaultsInput")
        #expect(book.components.map { $0.value.requires("size") } == [true, false])
    }

    private struct Nested: Codable {
        enum Keys: CodingKey { case outer, list }
        enum Inner: CodingKey { case number }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            _ = try container.nestedContainer(keyedBy: Inner.self, forKey: .outer).decode(Bool.self, forKey: .number)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            while !list.isAtEnd { _ = try list.decode(Double.self) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var inner = container.nestedContainer(keyedBy: Inner.self, forKey: .outer)
            try inner.encode(true, forKey: .number)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1.5)
        }
    }

    private struct Dynamic: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: PathKey.self)
            for key in container.allKeys { _ = try container.decode(UUID.self, forKey: key) }
        }
    }

    @Test func `containers inside others, and any keys, are seen`() throws {
        let number = #""properties":{"number":{"type":"boolean"}}"#
        #expect(try schema(Nested.self).contains(number))
        #expect(try schema(Nested.self, .output) == schema(Nested.self))
        #expect(
            try schema(Dynamic.self)
                == #"{"schema":{"type":"object","additionalProperties":{"type":"string","format":"uuid"}}}"#)
    }

    private struct Ring: Codable, Described {
        static let example = Ring(text: "AB12")
        static let schema: JSONValue? = ["type": "string", "pattern": "^[A-Z]{2}[0-9]{2}$"]
        let text: String

        init(text: String) { self.text = text }

        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
            guard text.utf8.count == 4 else { throw HTTPError(.badRequest) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    private struct Bird: Codable {
        let ring: Ring
        let age: Int
    }

    @Test func `a type that hides itself says what it is, and shows an example`() throws {
        let text = try schema(Bird.self)
        #expect(text.contains(#""ring":{"type":"string","pattern":"^[A-Z]{2}[0-9]{2}$","examples":["AB12"]}"#))
        #expect(text.contains(#""required":["ring","age"]"#))
    }

    private struct Email: Decodable {
        init(from decoder: any Decoder) throws {
            guard try decoder.singleValueContainer().decode(String.self).contains("@") else {
                throw HTTPError(.badRequest)
            }
        }
    }

    private enum Color: String, Codable { case red }

    @Test func `a type that cannot be seen is a mistake with advice`() throws {
        #expect(try schema(Email.self) == #"{"schema":{"type":"string"}}"#)
        let error = #expect(throws: Undescribable.self) { try schema(Color.self) }
        #expect(
            error?.description
                == "Color cannot be described: its init(from:) takes none of the samples it is tried with; "
                + "make it CaseIterable.")
        #expect(throws: Undescribable.self) { try schema([Double: String].self) }
    }

    private struct Input: Decodable, Validatable {
        var tree: String
        var eggs: Int?
        var mail: String?
        var code: String
        var color: String
        var other: Double
        var price: LocalNumber?

        mutating func validate(_ check: inout Validation) {
            check("tree", &tree, .trimmed, .required, .length(...40))
            check("eggs", eggs, .range(0...12))
            check("mail", &mail, .required, .email)
            check("code", &code, .pattern(/[A-Z]{2}/))
            check("color", &color, .oneOf(["red", "blue"]))
            check("other", other, .range(1.5...))
            check("price", price, .range(0.5...9.5))
        }
    }

    @Test func `rules beside an input are in its schema`() throws {
        let text = try schema(Input.self)
        #expect(text.contains(#""tree":{"type":"string","pattern":"\\S","minLength":1,"maxLength":40}"#))
        #expect(text.contains(#""eggs":{"type":["integer","null"],"format":"int64","minimum":0,"maximum":12}"#))
        #expect(text.contains(#""mail":{"type":"string","minLength":1,"format":"email"}"#))
        #expect(text.contains(#""code":{"type":"string","pattern":"^(?:[A-Z]{2})$"}"#))
        #expect(text.contains(#""color":{"type":"string","enum":["blue","red"]}"#))
        #expect(text.contains(#""other":{"type":"number","format":"double","minimum":1.5}"#))
        #expect(text.contains(#""price":{"type":["number","null"],"format":"double","minimum":0.5,"maximum":9.5}"#))
        #expect(text.contains(#""required":["tree","code","color","other","mail"]"#))
    }

    private struct Measure: Codable, Validatable {
        var weight: Double?
        var share: Float

        func validate(_ check: inout Validation) { check("weight", weight, .required, .range(0...)) }
    }

    @Test func `numbers that JSON does not have are texts where the convention says so`() throws {
        let coder = JSONCoder(floats: .strings)
        let texts = #"{"type":"string","enum":["Infinity","-Infinity","NaN"]}"#
        let (weight, share) = (#"{"type":"number","format":"double"}"#, #"{"type":"number","format":"float"}"#)
        let output = try schema(Measure.self, .output, coder)
        #expect(output.contains(#""weight":{"anyOf":[{"anyOf":[\#(weight),\#(texts)]},{"type":"null"}]}"#), "\(output)")
        #expect(output.contains(#""share":{"anyOf":[\#(share),\#(texts)]}"#), "\(output)")
        let input = try schema(Measure.self, .input, coder)
        #expect(input.contains(#""weight":{"anyOf":[\#(weight),\#(texts)],"minimum":0}"#), "\(input)")
        #expect(try schema(Measure.self, .output).contains(#""share":\#(share)"#))
        let book = SchemaBook(coder)
        let reference = try book.schema(of: Measure.self, .output)
        let document: JSONValue = ["components": ["schemas": .object(book.components)]]
        for value in [Float.nan, .infinity, 1] {
            var check = SchemaCheck(document)
            let measure = try coder.encode(Measure(weight: 1, share: value))
            check.check(try JSONCoder().decode(JSONValue.self, from: measure), reference)
            #expect(check.faults == [])
        }
        var check = SchemaCheck(document)
        check.check(["weight": "heavy", "share": 1], reference)
        #expect(check.faults == ["/weight is none of the alternatives"])
    }

    private struct Large: Encodable {
        var lower: Int128?
        var upper: UInt128?
    }

    @Test func `the largest integers may be missing, too`() throws {
        let text = try schema(Large.self, .output)
        #expect(text.contains(#""lower":{"type":["integer","null"]"#) && text.contains(#""upper":"#), "\(text)")
        #expect(!text.contains("required"))
    }
}
