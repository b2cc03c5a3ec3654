@testable import Roost

extension Cost {
    /// Queries and forms.
    static var forms: [Cost] {
        table("form", budget: 300, formInputs) { bytes in
            let form = Form(urlEncoded: bytes, maximumFields: .max)
            result += form.fields.count
        }
            + table("form, as an input type", budget: 1000, formInputs) { bytes in
                let form = Form(urlEncoded: bytes, maximumFields: .max)
                result += (try? FormDecoder.decode(Typed.self, from: form))?.tags.count ?? 0
            }
            + table("form, as a dictionary", budget: 1100, formInputs) { bytes in
                let form = Form(urlEncoded: bytes, maximumFields: .max)
                result += (try? FormDecoder.decode([String: String].self, from: form))?.count ?? 0
            }
            + table("query", budget: 100, formInputs) { bytes in
                let form = Form(urlEncoded: bytes)
                result += form["z"]?.utf8.count ?? form[values: "a"].count
            }
    }

    private struct Typed: Decodable {
        var name: String?
        var tags: [String]
        var a: String?
        var count: Int?
    }

    private static let formInputs = [
        Input("empty fields", repeating: "&"),
        Input("names of one byte", repeating: "a&"),
        Input("pairs of no name", repeating: "=&"),
        Input("a list", repeating: "tags=a&"),
        Input("escapes", "a=", repeating: "%41"),
        Input("halves of escapes", "a=", repeating: "%4"),
        Input("plus signs", "a=", repeating: "+"),
        Input("equals signs", repeating: "="),
        Input("one long value", "name=", repeating: "a"),
        Input("many names", repeating: "a0&b1&c2&d3&e4&f5&g6&h7&i8&j9&"),
    ]
}
