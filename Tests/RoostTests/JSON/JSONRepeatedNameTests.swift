import Testing

@testable import Roost

/// Objects with two members of one name, which parsers read differently, are never written, in any build.
@Suite("RFC 8259 §4: repeated names when writing", .timeLimit(.minutes(5)))
struct JSONRepeatedNameTests {
    private struct Twice: Encodable {
        private enum CodingKeys: CodingKey { case a, b }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(1, forKey: .a)
            try container.encode(["a": 1], forKey: .b)
            try container.encode(2, forKey: .a)
        }
    }

    private struct SelfWritten: SelfWriting {
        let isRepeated: Bool

        func write(to fields: inout Fields) {
            fields.add("first", 1)
            fields.add("second", "x")
            if isRepeated { fields.add("first", 2) }
        }
    }

    private struct Names: Encodable {
        let names: [String]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyJSONKey.self)
            for name in names { try container.encode(1, forKey: AnyJSONKey(stringValue: name)) }
        }
    }

    private struct Snakes: Encodable {
        let userName = 1
        let user_name = 2
    }

    @Test func `by a type's own code`() throws {
        #expect(throws: EncodingError.self) { try JSONCoder().string(Twice()) }
        #expect(throws: EncodingError.self) { try JSONCoder().string([Twice()]) }
    }

    @Test func `by a value that writes its members`() throws {
        #expect(try JSONCoder().string(SelfWritten(isRepeated: false)) == #"{"first":1,"second":"x"}"#)
        #expect(throws: EncodingError.self) { try JSONCoder().string(SelfWritten(isRepeated: true)) }
        let list = [SelfWritten(isRepeated: false), SelfWritten(isRepeated: false)]
        #expect(try JSONCoder().string(list).count == 51)
        #expect(throws: EncodingError.self) { try JSONCoder().string(list + [SelfWritten(isRepeated: true)]) }
    }

    @Test(arguments: [2, 10, 63, 64, 65, 66, 200])
    func `among any number of members`(count: Int) throws {
        let names = (0..<count).map { "name\($0)" }
        #expect(try JSONCoder().string(Names(names: names)).hasSuffix("\"name\(count - 1)\":1}"))
        for repeated in [0, count / 2, count - 1] {
            #expect(throws: EncodingError.self) { try JSONCoder().string(Names(names: names + ["name\(repeated)"])) }
        }
    }

    @Test func `that become one in snake case`() throws {
        #expect(throws: EncodingError.self) { try JSONCoder(keys: .snakeCase).string(Snakes()) }
        #expect(try JSONCoder().string(Snakes()) == #"{"userName":1,"user_name":2}"#)
    }

    @Test func `a dictionary's keys, and names inside each other, are no repetition`() throws {
        let nested = ["a": ["a": ["a": 1]]]
        #expect(try JSONCoder().string(nested) == #"{"a":{"a":{"a":1}}}"#)
        let many = Dictionary(uniqueKeysWithValues: (0..<500).map { ("\($0)", $0) })
        #expect(try JSONCoder().string(many).count > 4000)
    }
}
