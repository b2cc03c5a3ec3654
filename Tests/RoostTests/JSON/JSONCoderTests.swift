import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5))) struct `A JSON coder` {
    private typealias Contract = `Values that write themselves as JSON`

    @Test func `a JSON value keeps the names that came, whatever the convention`() throws {
        let text = #"{"aB":2,"a_b":1,"c_d":{"de_DE":[{"x_y":null}]},"userID":true}"#
        let coder = JSONCoder(keys: .snakeCase, layout: .sorted)
        struct Message: Codable { var extraData: JSONValue }
        let message = try coder.decode(Message.self, from: Array(#"{"extra_data":\#(text)}"#.utf8))
        #expect(try coder.string(message) == #"{"extra_data":\#(text)}"#)
    }

    @Test func `a dictionary is written in the order of its keys, and all else as it writes itself`() throws {
        struct Message: Encodable {
            let z = 1
            let counts: [String: Int]
            let a: JSONValue = ["y": 1, "x": 2]
        }
        let names = ["!", "B", "a", "a10", "a9", "b", "c", "d", "e", "f", "g", "~", "é", "\u{FFFF}", "\u{10000}"]
        let counts = Dictionary(uniqueKeysWithValues: names.map { ($0, 0) })
        let object = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        let text = "{\"z\":1,\"counts\":\(object),\"a\":{\"y\":1,\"x\":2}}"
        #expect(try JSONCoder().string(Message(counts: counts)) == text)
        #expect(try JSONCoder(keys: .snakeCase).string([counts]) == "[\(object)]")
        let numbers = Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, true) })
        let inOrder = (0..<10).map { "\"\($0)\":true" }.joined(separator: ",")
        #expect(try JSONCoder().string(numbers) == "{\(inOrder)}")
    }

    @Test(arguments: ["nº", "1ª", "aℂ", "a𝐀b", "aªBc"])
    func `a name with a character that is both capital and small ends in snake case`(name: String) {
        #expect(JSONSnakeCase.of(name) == (name == "aªBc" ? "aª_bc" : name.lowercased()))
        #expect(throws: JSONDecodingError.self) {
            try JSONCoder(keys: .snakeCase).decode([String: Int].self, from: Array(#"{"\#(name)":"x"}"#.utf8))
        }
    }

    @Test func `a number out of range is refused as one, also where any value may stand`() {
        struct Message: Decodable { var extra: JSONValue }
        for text in [#"{"extra":1e999}"#, #"{"extra":{"a":[1e999]}}"#] {
            let error = #expect(throws: JSONDecodingError.self) {
                try JSONCoder().decode(Message.self, from: Array(text.utf8))
            }
            let sentence = error.map { "\($0)" } ?? ""
            #expect(sentence.hasSuffix("The number is out of range."), "\(sentence)")
        }
    }

    @Test func `a type that tries alternatives is read strictly, too`() throws {
        struct Message: Decodable { var extra: JSONValue }
        let strict = JSONCoder(unknownMembers: .refused)
        let message = try strict.decode(Message.self, from: Array(#"{"extra":["x",{"a":1.5}]}"#.utf8))
        #expect(message.extra == ["x", ["a": 1.5]])
        #expect(throws: JSONDecodingError.self) {
            try strict.decode(Message.self, from: Array(#"{"extra":1,"other":2}"#.utf8))
        }
        struct Titled: Decodable { var title: String; var extra: JSONValue }
        let bytes = Array(#"{"title":5,"extra":{"a":"x"}}"#.utf8)
        let faults = bytes.withUnsafeBufferPointer { JSONCoder().faults(of: Titled.self, in: $0).all }
        #expect(faults.map(\.pointer) == ["/title"])
    }

    @Test func `no depth is too great to be written down`() throws {
        #expect(try JSONCoder(maximumDepth: .max).string([1]) == "[1]")
        var deep: JSONValue = []
        for _ in 0..<1100 { deep = [deep] }
        #expect(throws: EncodingError.self) { try JSONCoder(maximumDepth: .max).string(deep) }
    }

    @Test func `an object of a subclass holds its base class's members`() throws {
        #expect(try JSONCoder().string(Dog()) == "{\"name\":\"Rex\",\"isGood\":true}")
    }

    private class Animal: Encodable {
        let name = "Rex"
    }

    private final class Dog: Animal {
        private enum CodingKeys: String, CodingKey { case isGood }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(true, forKey: .isGood)
        }
    }

    @Test func `a cycle is an error, not a crash`() throws {
        let node = Node()
        node.next = node
        #expect(throws: EncodingError.self) { try JSONCoder().encode(node) }
        node.next = nil
    }

    private final class Node: Encodable {
        var next: Node?
    }

    @Test func `depth counts arrays and objects`() throws {
        #expect(try JSONCoder(maximumDepth: 2).string([["a"]]) == "[[\"a\"]]")
        #expect(throws: EncodingError.self) { try JSONCoder(maximumDepth: 1).string([["a"]]) }
        #expect(try JSONCoder(maximumDepth: 1).string(["a": 1]) == "{\"a\":1}")
        #expect(throws: EncodingError.self) { try JSONCoder(maximumDepth: 1).string(["a": [1]]) }
        #expect(throws: EncodingError.self) { try JSONCoder(maximumDepth: 0).string([1]) }
        #expect(throws: EncodingError.self) { try JSONCoder(maximumDepth: 0).string([true]) }
        #expect(try JSONCoder(maximumDepth: 0).string(1) == "1")
    }

    @Test func `what is read can be written, also through wrappers that are no level`() throws {
        let text = String(repeating: #"{"next":"#, count: 120) + "null" + String(repeating: "}", count: 120)
        let chain = try JSONCoder().decode(Link.self, from: Array(text.utf8))
        #expect(try JSONCoder().string(chain) == text)
    }

    private struct Link: Codable {
        @Boxed var next: Link?
    }

    @propertyWrapper private struct Boxed<Value: Codable>: Codable {
        private let values: [Value]
        var wrappedValue: Value { values[0] }

        init(from decoder: any Decoder) throws { values = [try decoder.singleValueContainer().decode(Value.self)] }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    @Test func `user info reaches the value`() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "k"))
        let value = Contract.Value { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(encoder.userInfo[key] as? Int)
        }
        #expect(try JSONCoder(userInfo: [key: 7]).string(value) == "7")
    }

    @Test func `the coding path names members and indices`() throws {
        let path = Contract.Value { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(encoder.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue })
        }
        let text = try JSONCoder().string(["a\"\\": [[:], ["é": path]]])
        #expect(text == "{\"a\\\"\\\\\":[{},{\"é\":[\"a\\\"\\\\\",\"1\",\"é\"]}]}")
    }

    @Test func `an error says where`() throws {
        let error = #expect(throws: EncodingError.self) {
            try JSONCoder().encode(["users": [["score": 1], ["score": Double.nan]]])
        }
        guard case .invalidValue(let value, let context) = error else { return }
        #expect((value as? Double)?.isNaN == true)
        #expect(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } == ["users", "1", "score"])
    }

    @Test func `a buffer is as it was after an error`() throws {
        let buffer = ByteBuffer()
        buffer.append("head")
        #expect(throws: EncodingError.self) { try JSONCoder().encode([1, .nan], into: buffer) }
        try JSONCoder().encode([1], into: buffer)
        #expect(buffer.bytes == Array("head[1]".utf8))
    }

    @Test func `threads do not disturb each other`() async throws {
        let coder = JSONCoder(layout: .sorted)
        let expected = try coder.encode(InterleavedJSON(seed: 4))
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { (try? coder.encode(InterleavedJSON(seed: 4))) == expected } }
            for await isSame in group { #expect(isSame) }
        }
    }
}
