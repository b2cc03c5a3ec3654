import FoundationEssentials
import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5)))
struct `Short texts as JSON` {
    private struct Item: Codable, Equatable { let text: String }

    /// One that writes itself, with names of many lengths.
    private struct Names: SelfWriting {
        func write(to fields: inout Fields) {
            fields.add("", 0)
            fields.add("a", 1)
            fields.add("ab", 23)
            fields.add("abc", 456)
            fields.add("abcd", 7890)
            fields.add("a\"cdefg", -12_345)
            fields.add("0123456789abcdef", true)
            fields.add("0123456789abcdef<", "<")
        }
    }

    @Test func `every byte of ASCII at every place of every length`() throws {
        for length in 1...20 {
            for place in 0..<length {
                for byte in 0..<UInt8(0x80) {
                    var bytes = Array(repeating: UInt8(ascii: "x"), count: length)
                    bytes[place] = byte
                    let item = Item(text: String(decoding: bytes, as: UTF8.self))
                    let text = Data(try JSONCoder().encode(item))
                    #expect(try JSONDecoder().decode(Item.self, from: text) == item)
                }
            }
        }
    }

    @Test func `names of every length`() throws {
        let names = #"{"":0,"a":1,"ab":23,"abc":456,"abcd":7890,"a\"cdefg":-12345,"0123456789abcdef":true,"#
        #expect(try JSONCoder().string(Names()) == names + #""0123456789abcdef<":"<"}"#)
        #expect(
            try JSONCoder(isSafeInHTML: true).string([Names()])
                == "[" + names + #""0123456789abcdef\u003c":"\u003c"}]"#)
    }

    @Test func `an element that fails leaves nothing of the list`() throws {
        struct Item: Encodable {
            let number: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(["number": number])
                if number == 4 { throw CancellationError() }
            }
        }
        struct Catching: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode([Item(number: 1), Item(number: 2)])
                try? container.encode([Item(number: 3), Item(number: 4)])
                try container.encode([Item]())
            }
        }
        #expect(try JSONCoder().string(Catching()) == #"[[{"number":1},{"number":2}],[]]"#)
    }

    @Test func `a list that is nested too deep says where`() throws {
        struct Flat: SelfWriting {
            func write(to fields: inout Fields) { fields.add("a", 1) }
        }
        #expect(try JSONCoder(maximumDepth: 3).string([[Flat()]]) == #"[[{"a":1}]]"#)
        let error = #expect(throws: EncodingError.self) { try JSONCoder(maximumDepth: 2).string([[Flat()]]) }
        guard case .invalidValue(_, let context) = error else { return }
        #expect(context.codingPath.map(\.intValue) == [0, 0])
    }
}
