import Testing

@testable import Patterns

@Suite("The highlighter", .timeLimit(.minutes(5)))
struct HighlighterTests {
    @Test(arguments: [
        ("let x = 1", #"<span class="k">let</span> x = <span class="n">1</span>"#),
        ("a<B>&c", #"a&lt;<span class="t">B</span>&gt;&amp;c"#),
        ("// let \"x\" <b>\nf()", "<span class=\"c\">// let &quot;x&quot; &lt;b&gt;</span>\nf()"),
        (#""a\"b" + c"#, #"<span class="s">&quot;a\&quot;b&quot;</span> + c"#),
        (#""\(f("x")) y" z"#, #"<span class="s">&quot;\(f(&quot;x&quot;)) y&quot;</span> z"#),
        (#""\\" z"#, #"<span class="s">&quot;\\&quot;</span> z"#),
        ("@main #if", #"<span class="a">@main</span> <span class="a">#if</span>"#),
        ("a.map { $0 }", "a.map { $0 }"), ("", ""), ("\"unended", #"<span class="s">&quot;unended</span>"#),
    ])
    func `what it makes of Swift`(source: String, html: String) {
        #expect(SwiftHighlighter.html(source) == html)
    }

    @Test(arguments: SourceFile.all.map(\.path))
    func `no source is lost or changed`(path: String) throws {
        let file = try #require(SourceFile.all.first { $0.path == path })
        var text = ""
        var isTag = false
        for character in SwiftHighlighter.html(file.text) {
            if character == "<" { isTag = true }
            if !isTag { text.append(character) }
            if character == ">" { isTag = false }
        }
        let plain = text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&amp;", with: "&")
        #expect(plain == file.text)
    }
}
