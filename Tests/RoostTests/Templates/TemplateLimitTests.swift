import Testing

@testable import Roost

/// No template and no data can hang, crash or exhaust the server.
@Suite(.timeLimit(.minutes(5)))
struct `Template limits` {
    private struct Endless: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(Endless())
        }
    }

    private final class Circle: SelfWriting {
        var next: Circle?
        func write(to fields: inout Fields) { fields.add("next", next) }
    }

    private struct Flood: SelfWriting {
        let numbers = 0..<100_000
        func write(to fields: inout Fields) { for number in numbers { fields.add("a", number) } }
    }

    private func error(
        _ sources: [String: String], _ page: some Encodable, _ change: (inout TemplateLimits) -> Void = { _ in }
    ) throws -> String {
        var limits = TemplateLimits()
        change(&limits)
        let templates = try Templates(sources: sources, limits: limits)
        return #expect(throws: TemplateError.self) { try templates.render("main", page) }?.message ?? ""
    }

    @Test func `more objects than a page may have`() throws {
        struct Row: Encodable { let a = 1 }
        let rows = Array(repeating: Row(), count: 2000)
        let message = try error(["main": ""], ["rows": rows]) { $0.values = 300 }
        #expect(message == "the page has more than 300 values: show less of it, page by page")
    }

    @Test func `partials that include each other without end`() throws {
        let message = try error(["main": "{{#x}}{{>main}}{{/x}}"], ["x": true])
        #expect(message == "more than 64 partials are open: end the recursion of the data earlier")
    }

    @Test func `blocks that include their parent`() throws {
        let message = try error(["main": "{{$x}}{{<main}}{{/main}}{{/x}}"], ["x": true])
        #expect(message == "more than 64 partials are open: end the recursion of the data earlier")
    }

    @Test func `sections that stay open in a recursion`() throws {
        let tags = String(repeating: "{{#x}}", count: 9) + "{{>main}}" + String(repeating: "{{/x}}", count: 9)
        #expect(try error(["main": tags], ["x": true]).hasPrefix("more than 200 sections are open"))
    }

    @Test func `loops in loops in loops`() throws {
        let tags = String(repeating: "{{#x}}", count: 20) + String(repeating: "{{/x}}", count: 20)
        let message = try error(["main": tags], ["x": Array(0..<100)]) { $0.steps = 100_000 }
        #expect(message == "the page takes more than 100000 steps: loop over less, page by page")
    }

    @Test func `an output that doubles`() throws {
        let sources = ["main": "{{>a}}{{>a}}", "a": "{{>b}}{{>b}}{{x}}", "b": "{{x}}{{x}}{{{x}}}"]
        let message = try error(sources, ["x": String(repeating: "<", count: 400)]) { $0.output = 4000 }
        #expect(message == "the page has more than 4000 bytes: show less, page by page")
    }

    @Test func `an indentation that is repeated`() throws {
        let blanks = String(repeating: " ", count: 10_000)
        let sources = ["main": "\(blanks){{>lines}}\n", "lines": String(repeating: "x\n", count: 100_000)]
        let message = try error(sources, [0])
        #expect(message == "the page has more than 16777216 bytes: show less, page by page")
    }

    @Test func `values that contain each other without end`() throws {
        let message = "the page's values are nested more than 200 levels deep: show fewer levels"
        #expect(try error(["main": ""], Endless()) == message)
        let circle = Circle()
        circle.next = circle
        defer { circle.next = nil }
        let templates = try Templates(sources: ["main": ""])
        #expect(throws: TemplateError(message)) { try templates.render("main", circle) }
    }

    @Test(arguments: 0..<12)
    func `a page with too many values of each kind is an error, whatever the last one is`(pad: Int) throws {
        struct Child: Encodable { let a = 1 }
        struct Row: Encodable {
            let x = 1.5
            let children = [Child()]
        }
        struct Page: Encodable {
            let pad: [Int]
            let rows = Array(repeating: Row(), count: 2000)
        }
        let message = try error(["main": ""], Page(pad: Array(repeating: 1, count: pad))) { $0.values = 300 }
        #expect(message == "the page has more than 300 values: show less of it, page by page")
    }

    @Test func `values without number`() throws {
        var limits = TemplateLimits()
        limits.values = 1000
        let templates = try Templates(sources: ["main": ""], limits: limits)
        let error = #expect(throws: TemplateError.self) { try templates.render("main", Flood()) }
        #expect(error?.message == "the page has more than 1000 values: show less of it, page by page")
    }

    @Test func `texts without end`() throws {
        let message = try error(["main": ""], [String(repeating: "x", count: 2000)]) { $0.output = 1000 }
        #expect(message == "the page's texts have more than 1000 bytes: show less, page by page")
    }

    @Test(arguments: [Int.min, 0, 1, Int.max])
    func `limits that make no sense do no harm`(_ limit: Int) throws {
        var limits = TemplateLimits()
        (limits.nesting, limits.partials, limits.lambdas) = (limit, limit, limit)
        (limits.output, limits.steps, limits.values, limits.depth) = (limit, limit, limit, limit)
        let templates = try? Templates(sources: ["main": "{{#x}}{{.}}{{/x}}", "y": "{{>main}}"], limits: limits)
        let bytes = try? templates?.render("y", ["x": [1, 2]])
        #expect(bytes == nil || bytes == Array("12".utf8))
    }
}
