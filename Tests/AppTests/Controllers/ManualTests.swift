import HTTPTypes
import Roost
import RoostTesting
import Testing

import struct FoundationEssentials.Data
import class FoundationEssentials.FileManager
import struct FoundationEssentials.UUID

@testable import App
@testable import Manual

@Suite("The manual", .quietLog, .timeLimit(.minutes(5)))
struct ManualTests {
    private static func manual() throws -> Manual { try Manual(folder: Site.root + "/docs") }

    @Test func `its front page lists every page, and each is shown`() async throws {
        let manual = try Self.manual()
        let listed = manual.parts.flatMap(\.entries).map(\.page.name)
        #expect(listed.sorted() == manual.pages.keys.filter { !$0.isEmpty }.sorted())
        let client = try Site.visitor()
        let front = try await client.get("/manual", headers: Site.browser)
        #expect(front.status == .ok)
        for page in manual.pages.values {
            let response = try await client.get(page.path, headers: Site.browser)
            #expect(response.status == .ok)
            #expect(response.text.contains(page.html), "\(page.path)")
        }
        #expect(try await client.get("/manual/nothing", headers: Site.browser).status == .notFound)
    }

    /// Links between pages lead to a page, and their fragments to a heading of it; those to files lead to a file.
    @Test func `no link leads nowhere`() async throws {
        let manual = try Self.manual()
        let client = try Site.visitor()
        var count = 0
        for page in manual.pages.values {
            for link in page.sections.flatMap(\.links) where !link.contains("://") {
                count += 1
                let target = link.hasPrefix("#") ? page.path + link : link
                let parts = target.split(separator: "#", maxSplits: 1)
                let path = String(parts[0])
                if path.hasPrefix("/manual/files/") {
                    let file = try await client.get(path)
                    #expect(file.status == .ok, "\(page.name): \(link)")
                    #expect(file.headers[.contentType] == "text/plain; charset=utf-8")
                    continue
                }
                let other = try #require(manual.pages.values.first { $0.path == path }, "\(page.name): \(link)")
                if parts.count > 1 {
                    let anchors = other.sections.map(\.anchor)
                    #expect(anchors.contains(String(parts[1])), "\(page.name): \(link)")
                }
            }
        }
        #expect(count > 100)
    }

    /// `../` leads out of the folder, into the repository, which the site does not have.
    @Test func `links into the repository lead to something there, too`() throws {
        for page in try Self.manual().pages.keys {
            let file = "\(Site.root)/docs/\(page.isEmpty ? "README" : page).md"
            let text = String(decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self)
            for link in text.components(between: "](../", and: ")") {
                let path = "\(Site.root)/\(link.prefix { $0 != "#" })"
                #expect(FileManager.default.fileExists(atPath: path), "\(page): ../\(link)")
            }
        }
    }

    @Test func `HTML and scripts of a text are not passed on`() throws {
        let page = try #require(
            Self.page(
                """
                # A & B
                <script>alert(1)</script>

                <b onclick="x()">bold</b> and [a link](javascript:alert(1)), [another](JAVASCRIPT:alert(1))

                `<b>`
                """))
        #expect(page.title == "A & B")
        for text in ["<script", "<b", "onclick=", "javascript:", "JAVASCRIPT:"] { #expect(!page.html.contains(text)) }
        #expect(page.html.contains("<code>&lt;b&gt;</code>"))
    }

    @Test func `headings have the anchors that GitHub gives them`() throws {
        let page = try #require(
            Self.page("# T\n## A Unix `socket`, or two!\n## Limits\n## Limits\n## Ü_b-c\n| a |\n| - |\n| b |\n"))
        #expect(page.sections.dropFirst().map(\.anchor) == ["a-unix-socket-or-two", "limits", "limits-1", "ü_b-c"])
        #expect(page.html.contains("<h2 id=\"limits-1\">Limits</h2>"))
        let like = try #require(Self.page("# T\n## a\n## a\n## a-1\n## a\n"))
        #expect(like.sections.dropFirst().map(\.anchor) == ["a", "a-1", "a-1-1", "a-2"])
        #expect(page.html.contains("<div class=\"scroll\" tabindex=\"0\"><table>"))
    }

    @Test func `a search finds all words, those in headings first, and shows them as text`() async throws {
        let client = try Site.visitor()
        let found = try await client.get("/manual?q=renews+CERTIFICATE", headers: Site.browser).text
        let first = try #require(found.components(between: "<ul class=\"results\">", and: "</li>").first)
        #expect(first.contains("/manual/tls#a-certificate-that-renews-itself"))
        let none = try await client.get("/manual?q=%3Cb%3Exyzzy", headers: Site.browser).text
        #expect(none.contains("0 places with “&lt;b&gt;xyzzy”"))
        #expect(try await client.get("/manual?q=+", headers: Site.browser).text.contains("<h1>The manual</h1>"))
    }

    @Test func `a long query and one of many words are cut`() throws {
        let search = ManualSearch(try Self.manual())
        #expect(search.results(for: String(repeating: "the ", count: 10_000)).count == ManualSearch.maximumResults)
        #expect(search.results(for: String(repeating: "x", count: 1 << 20)).isEmpty)
        #expect(search.results(for: " \u{0} ").isEmpty)
    }

    @Test(arguments: ["..%2F..%2FPackage.swift", "deploy", "", "nothing.yml", "..%2FPackage.swift"])
    func `no file outside the folder is sent`(path: String) async throws {
        #expect(try await Site.visitor().get("/manual/files/" + path).status == .notFound)
    }

    @Test func `a folder that is no manual stops the start`() throws {
        #expect(throws: StartError.self) { try Manual(folder: "/nonexistent") }
        #expect(throws: StartError.self) { try Manual(folder: Site.root + "/docs/deploy") }
        #expect(throws: StartError.self) { try ManualController(folder: Site.root + "/docs/deploy") }
    }

    @Test func `a start reads no page, and a page that cannot be read is tried again`() throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.path + "/roost-manual-\(UUID().uuidString)"
        try files.createDirectory(atPath: folder + "/owls.md", withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        #expect(files.createFile(atPath: folder + "/README.md", contents: Data("# Birds".utf8)))
        let manual = try ManualFolder(folder)
        #expect(throws: StartError.self) { try manual.read() }
        try files.removeItem(atPath: folder + "/owls.md")
        #expect(files.createFile(atPath: folder + "/owls.md", contents: Data("# Owls".utf8)))
        #expect(try manual.read().manual.page("owls")?.title == "Owls")
    }

    private static func page(_ markdown: String) -> ManualPage? {
        ManualPage(name: "", markdown: markdown) { Manual.address($0) }
    }
}
