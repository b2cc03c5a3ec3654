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
        #expect(page.status == .ok && page.headers[.cacheControl] == "no-store")
        for words in ["<h1>\(pattern.name)</h1>", "The view on a server", "When to use it", "When not", "<svg "] {
            #expect(page.text.contains(words), "\(words)")
        }
        let chapter = Chapter.of(pattern)
        for feature in chapter.features {
            #expect(page.text.contains("href=\"\(feature.url)\""))
            #expect(try await client.get(feature.url).status == .ok)
        }
        for source in chapter.entry + chapter.features.flatMap(\.sources) + Chapter.shared {
            #expect(page.text.contains("Sources/Patterns/\(source.file.path)"))
        }
        // What the content security policy would refuse.
        for word in [" style=", "<style", "<script>", "javascript:"] { #expect(!page.text.contains(word), "\(word)") }
    }

    @Test(arguments: Pattern.allCases)
    func `what a diagram shows is there in words, too`(pattern: Pattern) async throws {
        let page = try await GallerySite.visitor().get(pattern.path)
        for feature in Chapter.of(pattern).features {
            let titles = feature.diagram.components(between: "<title>", and: "</title>")
            #expect(!titles.isEmpty)
            for title in titles { #expect(page.text.contains("<li>\(title)</li>"), "\(title)") }
        }
    }

    /// They are written into the program by each build.
    @Test(arguments: SourceFile.all.map(\.path))
    func `the sources shown are those that were built`(path: String) throws {
        let file = try String(contentsOfFile: GallerySite.root + "/Sources/Patterns/" + path, encoding: .utf8)
        #expect(SourceFile.all.first { $0.path == path }?.text == file)
    }

    @Test func `the comparison has the figures of the sources, and a diagram for each chapter`() async throws {
        let page = try await GallerySite.visitor().get("/patterns").text
        for figures in LoginFigures.all {
            let cells = figures.columns.map { "<td>\($0)</td>" }.joined()
            #expect(page.contains("<th scope=\"row\">\(figures.pattern.name)</th>\(cells)"))
        }
        #expect(page.contains("Who holds the flow"))
        #expect(page.components(between: "<svg ", and: "</svg>").count == Pattern.allCases.count)
        for pattern in Pattern.allCases { #expect(page.contains("href=\"\(pattern.path)\"")) }
    }

    /// So that whoever changes a pattern sees what it costs.
    @Test(arguments: LoginFigures.all)
    func `the document has the figures of the sources`(figures: LoginFigures) throws {
        let text = try String(contentsOfFile: GallerySite.root + "/docs/patterns.md", encoding: .utf8)
        #expect(text.contains("| \(([figures.pattern.name] + figures.columns).joined(separator: " | ")) |"))
    }

    @Test(arguments: Pattern.withLogin, Pattern.withLogin)
    func `two logins can be read beside each other`(left: Pattern, right: Pattern) async throws {
        let path = "/patterns/beside?left=\(left.rawValue)&right=\(right.rawValue)"
        let page = try await GallerySite.visitor().get(path)
        #expect(page.text.contains("<h1>\(left.name) beside \(right.name)</h1>"))
        #expect(page.text.contains("<option value=\"\(right.rawValue)\""))
        for pattern in [left, right] {
            for source in try #require(Chapter.of(pattern).login).sources {
                #expect(page.text.contains("<strong>\(source.file.name)</strong>"))
            }
        }
    }

    @Test func `what is not there is not found`() async throws {
        let client = try GallerySite.visitor()
        for path in ["/patterns/beside?left=x", "/patterns/beside?right=mvp-r", "/patterns/x", "/patterns/mvc/x"] {
            #expect(try await client.get(path).status == .notFound, "\(path)")
        }
    }
}
