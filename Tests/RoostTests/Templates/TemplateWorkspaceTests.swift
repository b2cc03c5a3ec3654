import Testing

@testable import Roost

@Suite("Renderings one after the other", .timeLimit(.minutes(5)))
struct TemplateWorkspaceTests {
    private struct Page: TemplateData {
        let name: String
        var rows: [String] = []

        func write(to slot: TemplateSlot) {
            slot.add("name", name)
            slot.add("rows", rows)
        }
    }

    private final class Kept {
        var slot: TemplateSlot?
    }

    private struct Keeper: TemplateData {
        let kept: Kept

        func write(to slot: TemplateSlot) {
            slot.add("name", "a")
            slot.add("rows", [String]())
            kept.slot = slot
        }
    }

    private func templates() throws -> Templates {
        try Templates(sources: ["page": "{{name}}{{#rows}} {{.}}{{/rows}}", "name": "{{name}}"])
    }

    private func text(_ templates: Templates, _ page: some TemplateData, _ name: String = "page") throws -> String {
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
        struct Meddler: TemplateData {
            let kept: Kept
            func write(to slot: TemplateSlot) {
                slot.add("name", "mine")
                slot.openObject()
                kept.slot?.add("name", "yours")
                slot.add("rows", [String]())
            }
        }
        #expect(try text(templates, Meddler(kept: kept)) == "mine")
        kept.slot = nil
        #expect(try text(templates, Page(name: "b")) == "b")
    }

    @Test func `a rendering inside a rendering has memory of its own`() throws {
        let templates = try templates()
        struct Outer: TemplateData {
            let templates: Templates
            func write(to slot: TemplateSlot) {
                slot.add("name", "outer")
                let inner = (try? templates.render("page", Page(name: "inner", rows: ["x"]))) ?? []
                slot.add("rows", [String(decoding: inner, as: UTF8.self), "y"])
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
