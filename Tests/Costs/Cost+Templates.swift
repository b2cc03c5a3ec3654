@testable import Roost

extension Cost {
    /// Parsing the sources of templates, which happens at start.
    static var templates: [Cost] {
        table("template", budget: 2000, templateInputs) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            result += (try? Templates(sources: ["a": text]))?.names.count ?? 0
        }
    }

    private static let templateInputs = [
        Input("text", repeating: "a"),
        Input("lines", repeating: "\n"),
        Input("tags", repeating: "{{a}}"),
        Input("comments", repeating: "{{!a}}"),
        Input("open braces", repeating: "{"),
        Input("an unterminated tag", "{{", repeating: "a"),
        Input("sections side by side", repeating: "{{#a}}{{/a}}"),
        Input("sections on lines", repeating: "{{#a}}\n{{/a}}\n"),
        Input("open sections", repeating: "{{#a}}"),
        Input("closed sections", repeating: "{{/a}}"),
        Input("delimiters", repeating: "{{=[ ]=}}[={{ }}=]"),
        Input("almost a long delimiter", "{{=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab ]=}}", repeating: "a"),
    ]
}
