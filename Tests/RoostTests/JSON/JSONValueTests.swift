import FoundationEssentials
import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5))) struct `How values are written as JSON` {
    struct Case: Sendable, CustomTestStringConvertible {
        let value: any Encodable & Sendable
        let text: String
        var coder = JSONCoder()

        init(_ value: any Encodable & Sendable, _ text: String, _ coder: JSONCoder = JSONCoder()) {
            self.value = value
            self.text = text
            self.coder = coder
        }

        var testDescription: String { text }
    }

    static let numbers = [
        Case(0, "0"),
        Case(-1, "-1"),
        Case(9, "9"),
        Case(10, "10"),
        Case(99, "99"),
        Case(100, "100"),
        Case(1_234_567_890, "1234567890"),
        Case(Int.max, "9223372036854775807"),
        Case(Int.min, "-9223372036854775808"),
        Case(UInt.max, "18446744073709551615"),
        Case([Int8.min, .max], "[-128,127]"),
        Case([Int16.min, .max], "[-32768,32767]"),
        Case([Int32.min, .max], "[-2147483648,2147483647]"),
        Case([Int64.min, .max], "[-9223372036854775808,9223372036854775807]"),
        Case([UInt8.max], "[255]"),
        Case([UInt16.max], "[65535]"),
        Case([UInt32.max], "[4294967295]"),
        Case([UInt64.max, 10_000_000_000_000_000_000], "[18446744073709551615,10000000000000000000]"),
        Case(Int128.min, "-170141183460469231731687303715884105728"),
        Case(UInt128.max, "340282366920938463463374607431768211455"),
        Case(1.0, "1"),
        Case(0.0, "0"),
        Case(-0.0, "-0"),
        Case(-2.0, "-2"),
        Case(0.1, "0.1"),
        Case(0.1 + 0.2, "0.30000000000000004"),
        Case(1e15, "1000000000000000"),
        Case(1e16, "1e+16"),
        Case(4_503_599_627_370_497.0, "4503599627370497"),
        Case(9_007_199_254_740_993.0 as Double, "9007199254740992"),
        Case(1.5e300, "1.5e+300"),
        Case(Double.leastNonzeroMagnitude, "5e-324"),
        Case(Double.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        Case(1e-5, "1e-05"),
        Case(Float(0.1), "0.1"),
        Case(Float(16_777_216), "16777216"),
        Case(Float.greatestFiniteMagnitude, "3.4028235e+38"),
        Case(Decimal(string: "0.10"), "0.1"),
        Case(Decimal(string: "123456789012345678901234567890.5"), "123456789012345678901234567890.5"),
        Case([Double.nan, .infinity, -.infinity], "[\"NaN\",\"Infinity\",\"-Infinity\"]", JSONCoder(floats: .strings)),
        Case([Float.nan, .infinity, -.infinity], "[\"NaN\",\"Infinity\",\"-Infinity\"]", JSONCoder(floats: .strings)),
    ]

    static let others = [
        Case(true, "true"),
        Case(false, "false"),
        Case(Int?.none, "null"),
        Case([1, nil, 3], "[1,null,3]"),
        Case([Int](), "[]"),
        Case([String: Int](), "{}"),
        Case(["b": 1], "{\"b\":1}"),
        Case([7: "x"], "{\"7\":\"x\"}"),
        Case([Data([1, 2, 3, 250]), Data()], "[\"AQID+g==\",\"\"]"),
        Case([UInt8(1), 2], "[1,2]"),
        Case(URL(string: "http://a.example/b?c=d/e"), "\"http://a.example/b?c=d/e\""),
        Case(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""),
        Case(Date(timeIntervalSince1970: 0), "\"1970-01-01T00:00:00Z\""),
        Case(Date(timeIntervalSince1970: 1_709_210_096.789), "\"2024-02-29T12:34:56Z\""),
        Case(Date(timeIntervalSince1970: -0.001), "\"1969-12-31T23:59:59Z\""),
        Case(Date(timeIntervalSince1970: 253_402_300_799), "\"9999-12-31T23:59:59Z\""),
        Case(Date(timeIntervalSince1970: -12_219_292_801), "\"1582-10-14T23:59:59Z\""),
        Case(Date(timeIntervalSince1970: -62_135_596_800), "\"0001-01-01T00:00:00Z\""),
        Case(Date(timeIntervalSince1970: -62_167_219_200), "\"0000-01-01T00:00:00Z\""),
        Case(Date(timeIntervalSince1970: 1.5), "1.5", JSONCoder(dates: .secondsSince1970)),
        Case(Date(timeIntervalSince1970: 1.5), "1500", JSONCoder(dates: .millisecondsSince1970)),
        Case(milliseconds(1_709_210_096.789), "\"2024-02-29T12:34:56.789Z\"", precise),
        Case(milliseconds(1_709_210_096), "\"2024-02-29T12:34:56.000Z\"", precise),
        Case(milliseconds(0.9996), "\"1970-01-01T00:00:01.000Z\"", precise),
        Case(milliseconds(-0.001), "\"1969-12-31T23:59:59.999Z\"", precise),
        Case(milliseconds(253_402_300_799.999), "\"9999-12-31T23:59:59.999Z\"", precise),
        Case(Account(), "{\"userID\":1,\"homeURL\":{\"aB\":2},\"nothing\":null}", JSONCoder(nils: .null)),
        Case(["a": nil, "b": 1] as [String: Int?], "{\"a\":null,\"b\":1}", JSONCoder(layout: .sorted)),
        Case(["userName": 1], "{\"userName\":1}", JSONCoder(keys: .snakeCase)),
        Case(Account(), "{\"user_id\":1,\"home_url\":{\"aB\":2}}", JSONCoder(keys: .snakeCase)),
        Case(Account(), "{\"userID\":1,\"homeURL\":{\"aB\":2}}"),
    ]

    private static let precise = JSONCoder(dates: .iso8601WithMilliseconds)

    private static func milliseconds(_ time: Double) -> Date { Date(timeIntervalSince1970: time) }

    private struct Account: Encodable {
        let userID = 1
        let homeURL = ["aB": 2]
        let nothing: Int? = nil
    }

    static let strings = [
        Case("", "\"\""),
        Case("plain", "\"plain\""),
        Case("\"\\/", "\"\\\"\\\\/\""),
        Case("\u{8}\u{9}\u{A}\u{C}\u{D}", "\"\\b\\t\\n\\f\\r\""),
        Case("\0\u{1}\u{B}\u{1F}", "\"\\u0000\\u0001\\u000b\\u001f\""),
        Case("\u{7F}\u{80}é漢😀\u{2028}", "\"\u{7F}\u{80}é漢😀\u{2028}\""),
        Case("\r\n", "\"\\r\\n\""),
        Case("\"\u{301}", "\"\\\"\u{301}\""),
        Case("\\\u{200D}\n\u{FE0F}", "\"\\\\\u{200D}\\n\u{FE0F}\""),
        Case("1234567\"", "\"1234567\\\"\""),
        Case("12345678\"", "\"12345678\\\"\""),
        Case("12345678\n2345678\t", "\"12345678\\n2345678\\t\""),
        Case("</script>&\u{2028}\u{2029}\u{2027}\"", "\"</script>&\u{2028}\u{2029}\u{2027}\\\"\""),
        Case(
            "</script>&\u{2028}\u{2029}\u{2027}\"é",
            "\"\\u003c/script\\u003e\\u0026\\u2028\\u2029\u{2027}\\\"é\"", JSONCoder(isSafeInHTML: true)),
        Case(["<": "&"], "{\"\\u003c\":\"\\u0026\"}", JSONCoder(isSafeInHTML: true)),
        Case(["\"\n": 1], "{\"\\\"\\n\":1}"),
    ]

    @Test(arguments: numbers + others + strings)
    func `a value has one text`(example: Case) throws {
        #expect(try example.coder.string(example.value) == example.text)
        #expect(try example.coder.encode(example.value) == Array(example.text.utf8))
    }

    @Test(arguments: numbers + others + strings)
    func `a value has the same text in an array and in an object`(example: Case) throws {
        let array = Case(Listed(value: example.value), "[\(example.text),\(example.text)]", example.coder)
        #expect(try array.coder.string(array.value) == array.text)
        let object = Case(Named(value: example.value), "{\"v\":\(example.text)}", example.coder)
        #expect(try object.coder.string(object.value) == object.text)
    }

    private struct Listed: Encodable {
        let value: any Encodable & Sendable
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(value)
            try container.encode(value)
        }
    }

    private struct Named: Encodable {
        let value: any Encodable & Sendable
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyJSONKey.self)
            try container.encode(value, forKey: "v")
        }
    }

    @Test func `every byte is escaped wherever it stands in a string`() throws {
        let special = "\"\\\n\u{1}é"
        for length in 0..<40 {
            for position in 0...length {
                let (before, after) = (String(repeating: "a", count: position), String(repeating: "b", count: length))
                let text = try JSONCoder().string(before + special + after)
                #expect(text == "\"\(before)\\\"\\\\\\n\\u0001é\(after)\"")
            }
        }
    }

    @Test func `a string of another encoding or shared storage is written whole`() throws {
        let long = String(repeating: "0123456789\n", count: 5000)
        #expect(try JSONCoder().encode(long).count == 5000 * 12 + 2)
        #expect(try JSONCoder().string(String(long.dropFirst(7).prefix(5))) == "\"789\\n0\"")
    }

    @Test func `people get indented text`() throws {
        let value: [String: [String: [Int]]] = ["b": ["x": [1, 2]], "a": [:], "\"": ["y": []]]
        let text = """
            {
              "\\"" : {
                "y" : [

                ]
              },
              "a" : {

              },
              "b" : {
                "x" : [
                  1,
                  2
                ]
              }
            }
            """
        #expect(try JSONCoder(layout: [.pretty, .sorted]).string(value) == text)
        #expect(try JSONCoder(layout: .pretty).string("a{b,c") == "\"a{b,c\"")
    }

    @Test func `members are sorted by what their names stand for`() throws {
        let names = ["b", "a", "B", "a10", "a9", "é", "\u{10000}", "\u{FFFF}", "\"", "!", "\u{1}", "\\", "]"]
        let value = Dictionary(uniqueKeysWithValues: names.map { ($0, 0) })
        let text = "{\"\\u0001\":0,\"!\":0,\"\\\"\":0,\"B\":0,\"\\\\\":0,\"]\":0,\"a\":0,\"a10\":0,\"a9\":0,\"b\":0,"
        #expect(try JSONCoder(layout: .sorted).string(value) == text + "\"é\":0,\"\u{FFFF}\":0,\"\u{10000}\":0}")
    }
}
