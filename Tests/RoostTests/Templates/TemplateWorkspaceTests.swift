import Testing

@testable import Roost

@Suite("Renderings one after the other", .timeLimit(.minutes(5)))
struct TemplateWorkspaceTests {
    private struct Page: SelfWriting {
        let name: String
        var rows: [String] = []

        func write(to fields: inout Fields) {
            fields.add("name", name)
            fields.add("rows", rows)
        }
    }

    private final class Kept {
        var encoder: (any Encoder)?
        var container: KeyedEncodingContainer<Keys>?
    }

    private enum Keys: CodingKey { case name, rows }

    private struct Keeper: Encodable {
        let kept: Kept

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode("a", forKey: .name)
            try container.encode([String](), forKey: .rows)
            (kept.encoder, kept.container) = (encoder, container)
        }
    }

    private func templates() throws -> Templates {
        try Templates(sources: ["page": "{{name}}{{#rows}} {{.}}{{/rows}}", "name": "{{name}}"])
    }

    private func text(_ templates: Templates, _ page: some Encodable, _ name: String = "page") throws -> String {
        String(decoding: try templates.render(name, page), as: UTF8.self)
    }

    @Test func `nothing of a page is left for the next one`() throws {
        let (templates, others) = (try templates(), try self.templates())
        let rows = (0..<3000).map { "\($0)" }
        for _ in 0..<3 {
            #expect(try text(templates, Page(name: "all", rows: rows)) == "all " + rows.joined(separator: " "))
            #expect(try text(templates, Page(name: "<")) == "&lt;")
            #expect(try text(others, Page(name: "other", rows: ["a"])) == "other a")
            #expect(throws: TemplateError.self) { try text(templates, ["nothing": "b"]) }
            #expect(try text(templates, Page(name: "d", rows: ["e"])) == "d e")
        }
    }

    @Test func `who keeps his place writes on nobody's page`() throws {
        let (templates, kept) = (try templates(), Kept())
        #expect(try text(templates, Keeper(kept: kept)) == "a")
        struct Meddler: Encodable {
            let kept: Kept
            func encode(to encoder: any Encoder) throws {
                #expect(throws: EncodingError.self) { try kept.container?.encode("yours", forKey: .name) }
                var place = kept.encoder?.singleValueContainer()
                #expect(throws: (any Error).self) { try place?.encode("yours") }
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode("mine", forKey: .name)
                try container.encode([String](), forKey: .rows)
            }
        }
        #expect(try text(templates, Meddler(kept: kept)) == "mine")
        #expect(try text(templates, Page(name: "b")) == "b")
    }

    @Test func `a rendering inside a rendering has memory of its own`() throws {
        let templates = try templates()
        struct Outer: SelfWriting {
            let templates: Templates
            func encode(to encoder: any Encoder) {}
            func write(to fields: inout Fields) {
                fields.add("name", "outer")
                let inner = (try? templates.render("page", Page(name: "inner", rows: ["x"]))) ?? []
                fields.add("rows", [String(decoding: inner, as: UTF8.self), "y"])
            }
        }
        for _ in 0..<2 { #expect(try text(templates, Outer(templates: templates)) == "outer inner x y") }
    }

    @Test func `names that only data has are not kept without end`() throws {
        let templates = try templates()
        for round in 0..<20 {
            let long = String(repeating: "n", count: 1000) + "\(round)"
            #expect(try text(templates, [long: "a", "name": "\(round)"], "name") == "\(round)")
        }
    }
}
