import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5))) struct `The limits of the JSON scan` {
    @Test func `nesting is limited to 128 levels`() throws {
        let text = { (depth: Int) in [UInt8](repeating: UInt8(ascii: "["), count: depth) }
        #expect(throws: JSONSyntaxError(offset: 128, reason: .endsEarly)) { try JSONCoder().check(text(128)) }
        #expect(throws: JSONSyntaxError(offset: 128, reason: .tooDeep)) { try JSONCoder().check(text(129)) }
        #expect(throws: JSONSyntaxError(offset: 128, reason: .tooDeep)) { try JSONCoder().check(text(1_000_000)) }
    }

    @Test func `the limit can be set`() throws {
        try JSONCoder(maximumDepth: 2).check(Array("[[],{\"a\":1}]".utf8))
        #expect(throws: JSONSyntaxError(offset: 1, reason: .tooDeep)) {
            try JSONCoder(maximumDepth: 1).check(Array("[[]]".utf8))
        }
        #expect(throws: JSONSyntaxError(offset: 0, reason: .tooDeep)) {
            try JSONCoder(maximumDepth: 0).check(Array("{}".utf8))
        }
        try JSONCoder(maximumDepth: 0).check(Array("1".utf8))
    }

    @Test func `many levels do not use the thread's stack`() throws {
        let depth = 1_000_000
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        try JSONCoder(maximumDepth: depth, maximumValues: depth).check(Array(text.utf8))
    }

    @Test(arguments: [2, 8, 9, 10, 33, 20_000])
    func `a repeated name is found among any number of names`(count: Int) throws {
        let names = (0..<count).map { "\"name\($0)\":0" }
        let coder = JSONCoder(maximumMembers: .max)
        try coder.check(Array("{\(names.joined(separator: ","))}".utf8))
        let repeated = names + ["\"n\\u0061me\(count / 2)\":1"]
        let text = "{\(repeated.joined(separator: ","))}"
        let offset = text.utf8.count - "\"n\\u0061me\(count / 2)\":1}".utf8.count
        #expect(throws: JSONSyntaxError(offset: offset, reason: .repeatedName)) {
            try coder.check(Array(text.utf8))
        }
    }

    @Test func `names of a closed object do not count in the next`() throws {
        let object = "{\((0..<20).map { "\"k\($0)\":{\"k0\":0}" }.joined(separator: ","))}"
        try JSONCoder().check(Array("[\(object),\(object)]".utf8))
    }

    @Test func `no changed byte makes the scan trap`() throws {
        var generator = SplitMix64(seed: 7)
        let texts = `The strict scan of JSON`.valid.map { Array($0.utf8) }
        for _ in 0..<20_000 {
            var text = texts[Int.random(in: 0..<texts.count, using: &generator)]
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                mutate(&text, &generator)
            }
            let isValid = (try? JSONCoder().check(text)) != nil
            if isValid { #expect(String(validating: text, as: UTF8.self) != nil) }
        }
    }

    @Test func `what passes the scan is read by the decoder or is out of its range`() throws {
        var refused: [String] = []
        for text in `The strict scan of JSON`.valid {
            do { _ = try JSONCoder().decode(AnyJSON.self, from: Array(text.utf8)) } catch is JSONDecodingError {
                refused.append(text)
            }
        }
        #expect(refused == ["1e999"])
    }

    private func mutate(_ text: inout [UInt8], _ generator: inout SplitMix64) {
        let foreign: [UInt8] = [0, 0x1F, 0x7F, 0x80, 0xC2, 0xE0, 0xED, 0xF4, 0xFF]
        let interesting = Array("\"\\{}[]:,0-.eEu \n".utf8) + foreign
        let byte = interesting[Int.random(in: 0..<interesting.count, using: &generator)]
        let index = Int.random(in: 0...text.count, using: &generator)
        switch Int.random(in: 0...2, using: &generator) {
        case 0: text.insert(byte, at: index)
        case 1 where index < text.count: text[index] = byte
        default: if index < text.count { text.remove(at: index) }
        }
    }

    /// Any valid JSON.
    private struct AnyJSON: Decodable {
        init(from decoder: any Decoder) throws {
            if let object = try? decoder.container(keyedBy: AnyJSONKey.self) {
                for key in object.allKeys { _ = try object.decode(AnyJSON.self, forKey: key) }
            } else if var array = try? decoder.unkeyedContainer() {
                while !array.isAtEnd { _ = try array.decode(AnyJSON.self) }
            } else {
                let value = try decoder.singleValueContainer()
                if value.decodeNil() { return }
                if (try? value.decode(String.self)) != nil || (try? value.decode(Bool.self)) != nil { return }
                _ = try value.decode(Double.self)
            }
        }
    }
}
