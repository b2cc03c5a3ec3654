import FoundationEssentials
import HTTPTypes
import PatternCore
import Roost
import RoostTesting
import Testing

@testable import Patterns

/// The pages about the patterns.
@Suite("The chapters", .quietLog, .timeLimit(.minutes(5)))
struct ChapterTests {
    @Test(arguments: Pattern.allCases)
    func `a chapter has words, screens, a diagram and all sources of its pattern`(pattern: Pattern) async throws {
        let client = try GallerySite.visitor()
        let page = try await client.get(pattern.path)
        #expect(page.status == .ok)
        for words in ["<h1>\(pattern.name)</h1>", "The view on a server", "When to use it", "When not", "<svg "] {
            #expect(page.text.contains(words), "\(words)")
        }
        let chapter = try #require(Chapter.chapter(pattern))
        for link in chapter.links {
            #expect(page.text.contains("href=\"\(link.url)\""))
            #expect(try await client.get(link.url).status == .ok)
        }
        for role in chapter.features.flatMap(\.roles) {
            #expect(page.text.contains("Sources/Patterns/\(role.file.path)"))
        }
        // What the content security policy would refuse.
        for word in [" style=", "<style", "<script>", "javascript:"] { #expect(!page.text.contains(word), "\(word)") }
    }

    /// They are written into the program by each build.
    @Test(arguments: SourceFile.all.map(\.path))
    func `the sources shown are those that were built`(path: String) throws {
        let file = try String(contentsOfFile: GallerySite.root + "/Sources/Patterns/" + path, encoding: .utf8)
        #expect(SourceFile.all.first { $0.path == path }?.text == file)
    }

    @Test func `the comparison has the figures of the sources`() async throws {
        let page = try await GallerySite.visitor().get("/patterns").text
        for figures in LoginFigures.all {
            let row = "<th scope=\"row\">\(figures.pattern.name)</th><td>\(figures.files)</td><td>\(figures.lines)</td>"
            #expect(page.contains(row))
        }
        #expect(page.contains("Who holds the flow"))
        for pattern in Pattern.allCases { #expect(page.contains("href=\"\(pattern.path)\"")) }
    }

    /// So that whoever changes a pattern sees what it costs.
    @Test(arguments: LoginFigures.all)
    func `the document has the figures of the sources`(figures: LoginFigures) throws {
        let text = try String(contentsOfFile: GallerySite.root + "/docs/patterns.md", encoding: .utf8)
        let allocations = try #require(RequestFigures.of(figures.pattern)).allocations
        let row = [
            figures.pattern.name, "\(figures.files)", "\(figures.lines)", figures.ratio, "\(figures.protocols)",
            "\(figures.rolesWithoutHTTP) of \(figures.roles)", "\(allocations)",
        ]
        #expect(text.contains("| \(row.joined(separator: " | ")) |"))
    }

    @Test func `the report has a row for each login`() async throws {
        let report = try await Patterns.Report.text(date: "today", machine: "here")
        #expect(report.contains("today, here."))
        var names: [String] = []
        for row in report.split(separator: "\n").suffix(5) { names.append(String(row.prefix { $0 != " " })) }
        #expect(names == Pattern.withLogin.map(\.name))
    }

    @Test(arguments: Pattern.withLogin, Pattern.withLogin)
    func `two logins can be read beside each other`(left: Pattern, right: Pattern) async throws {
        let path = "/patterns/beside?left=\(left.rawValue)&right=\(right.rawValue)"
        let page = try await GallerySite.visitor().get(path)
        #expect(page.text.contains("<h1>\(left.name) beside \(right.name)</h1>"))
        #expect(page.text.contains("<option value=\"\(right.rawValue)\""))
        for pattern in [left, right] {
            for role in try #require(Chapter.chapter(pattern)?.login).roles {
                #expect(page.text.contains("<strong>\(role.name)</strong>"))
            }
        }
    }

    @Test func `what is not there is not found`() async throws {
        let client = try GallerySite.visitor()
        for path in ["/patterns/beside?left=x", "/patterns/beside?right=mvp-r", "/patterns/x", "/patterns/mvc/x"] {
            #expect(try await client.get(path).status == .notFound, "\(path)")
        }
    }

    @Test func `a declaration is read from a line`() {
        #expect(Declaration(line: "final class A: B, C {")?.inherited == ["B", "C"])
        #expect(Declaration(line: "package protocol P: AnyObject {")?.name == "P")
        #expect(Declaration(line: "package import Roost") == nil)
        #expect(Declaration(line: "    struct Inner {") == nil)
        #expect(Declaration(line: "func f(class: A) {") == nil)
    }
}
