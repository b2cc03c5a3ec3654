@testable import Roost

extension Cost {
    /// The strict scan alone, and whole decoding.
    static var json: [Cost] {
        let coder = JSONCoder(maximumDepth: .max)
        let inTheDepth = String(repeating: "[", count: 100)
        return table("JSON, the scan", budget: 150, jsonInputs + deep) { bytes in
            result += (try? coder.check(bytes)) == nil ? 0 : 1
        }
            + table("JSON, as an input type", budget: 700, jsonInputs) { bytes in
                result += (try? coder.decode(Typed.self, from: bytes))?.name?.utf8.count ?? 0
            }
            + table("JSON, the scan", budget: 1000, composedInputs) { bytes in
                result += (try? coder.check(bytes)) == nil ? 0 : 1
            }
            + table("JSON, as an input type", budget: 1500, composedInputs) { bytes in
                result += (try? coder.decode(Typed.self, from: bytes))?.name?.utf8.count ?? 0
            }
            + table("JSON, as an array", budget: 2500, jsonInputs) { bytes in
                result += (try? coder.decode([Int].self, from: bytes))?.count ?? 0
            }
            + table(
                "JSON, as a tree", budget: 700,
                [
                    Input(
                        "a wrong value in the depth", inTheDepth + "1", repeating: ",1",
                        String(repeating: "]", count: 100))
                ]
            ) { bytes in
                result += (try? JSONCoder().decode(Tree.self, from: bytes)) == nil ? 0 : 1
            }
    }

    private struct Typed: Decodable {
        var name: String?
        var age: Int?
    }

    private struct Tree: Decodable {
        let children: [Tree]

        init(from decoder: any Decoder) throws { children = try [Tree](from: decoder) }
    }

    private static let jsonInputs = [
        Input("numbers", "[", repeating: "1,", "1]"),
        Input("a long number", repeating: "1"),
        Input("empty strings", "[", repeating: "\"\",", "1]"),
        Input("one long string", "\"", repeating: "a", "\""),
        Input("escapes", "\"", repeating: "\\n", "\""),
        Input("escaped scalars", "\"", repeating: "\\u0041", "\""),
        Input("characters of three bytes", "\"", repeating: "\u{20AC}", "\""),
        Input("empty arrays", "[", repeating: "[],", "1]"),
        Input("objects", "[", repeating: "{\"a\":1},", "1]"),
        Input("one name again and again", "{", repeating: "\"a\":1,", "\"b\":1}"),
        Input("one member that is none of the type's", "{\"a\":[", repeating: "1,", "1]}"),
        Input("space", repeating: " ", "1"),
        Input("an unterminated string", "\"", repeating: "a"),
        Input("a wrong type", "{\"age\":[", repeating: "1,", "1]}"),
    ]

    /// Names that could be composed in other ways, which are compared as Swift compares strings.
    private static let composedInputs = [
        Input("escaped names", "[", repeating: "{\"\\u0061\":1,\"\\u0062\":1},", "1]"),
        Input("a name of escaped marks", "{\"a", repeating: "\\u0301\\u0323", "\":1}"),
        Input("a name of marks in one scalar", "{\"a", repeating: "\u{F73}", "\":1}"),
        Input(
            "letters of 30 marks", "{\"", repeating: "a" + String(repeating: "\u{301}\u{323}", count: 15), "\":1}"),
        Input("a name of marks", "{\"a", repeating: "\u{301}\u{323}", "\":1}"),
        Input(
            "names of marks", "[", repeating: "{\"a\u{301}\u{323}\":1,\"b\u{301}\u{323}\":1},", "1]"),
    ]

    private static let deep = [
        Input("open arrays", repeating: "["),
        Input("open objects", repeating: "{\"a\":"),
    ]
}

extension Cost {
    /// Objects of many different names, which repetition cannot make.
    static var members: [Cost] {
        [
            Cost(parser: "JSON, the scan", input: "many members", budget: 150) { size in
                let bytes = Array(object(size).utf8)
                return { result += (try? JSONCoder(maximumMembers: .max).check(bytes)) == nil ? 0 : 1 }
            },
            Cost(parser: "JSON, as an input type", input: "many members", budget: 700) { size in
                let bytes = Array(object(size).utf8)
                return {
                    result += (try? JSONCoder(maximumMembers: .max).decode(Typed.self, from: bytes))?.age ?? 0
                }
            },
        ]
    }

    private static func object(_ size: Int) -> String {
        "{" + (0..<size / 9).map { "\"\(10_000 + $0)\":1" }.joined(separator: ",") + "}"
    }
}
