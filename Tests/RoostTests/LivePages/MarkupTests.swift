import Testing

@testable import Roost

/// Elements found in HTML.
@Suite("Markup", .timeLimit(.minutes(5)))
struct MarkupTests {
    private func markup(_ html: String) -> Markup { Markup(Array(html.utf8)) }

    private func element(_ id: String, in html: String) -> String? {
        let markup = markup(html)
        return markup.element(id: id).map { String(decoding: markup.bytes[$0.range], as: UTF8.self) }
    }

    @Test(arguments: [
        ("<p>a</p>", 1, false), ("  <p>a</p>\n", 1, false), ("<p>a</p><p>b</p>", 2, false), ("a<p>b</p>", 1, true),
        ("<!-- a --><p>b</p>", 1, false), ("<img src=a><br>", 2, false), ("", 0, false), ("<", 0, true),
        ("<p", 1, false), ("</p>", 0, false), ("<ul><li>a<li>b</ul>", 1, false), ("<p>a<p>b", 2, false),
        ("<script>'<p>'</script>", 1, false), ("<p title='</p>'>a</p>", 1, false), ("<svg><path/></svg>", 1, false),
        ("<a =/ = b>x</a>", 1, false),
    ])
    func `root elements are counted`(html: String, count: Int, hasText: Bool) {
        #expect(markup(html).roots.count == count)
        #expect(markup(html).hasTextBesideRoots == hasText)
    }

    @Test(arguments: [
        (#"<div><p id="a">x</p></div>"#, #"<p id="a">x</p>"#), ("<p ID=a>x</p>", "<p ID=a>x</p>"),
        ("<p id='a'>x<b>y</p>z", "<p id='a'>x<b>y</p>"), ("<ul><li id=a>x<li>y</ul>", "<li id=a>x"),
        ("<input id=a><p>x</p>", "<input id=a>"),
        (#"<p title="id=a" id = "a" >x</p>"#, #"<p title="id=a" id = "a" >x</p>"#),
    ])
    func `an element is found by its id`(html: String, found: String) {
        #expect(element("a", in: html) == found)
    }

    @Test func `an id in a comment, a script or another attribute is none`() {
        #expect(element("a", in: #"<!-- <p id="a"> --><script>"<p id='a'>"</script><p data-id="a">x</p>"#) == nil)
        #expect(element("a&b", in: #"<p id="a&amp;b">x</p>"#) != nil)
    }

    @Test func `the text has no tags, and references become characters`() {
        let html = "<h1>A &amp; B</h1><script>no</script>\n<p>&lt;x&gt;&#39;&#x27; &nope; &</p>"
        #expect(markup(html).text == "A & B <x>'' &nope; &")
    }

    @Test func `any bytes are read to their end`() {
        let pieces = [
            "<", ">", "</", "<!--", "-->", "\"", "'", "=", "/", "p", " id=", "&#", ";", "\u{0}", "é", "<script",
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 1...500 {
            let html = (0..<20).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            let markup = markup(html)
            #expect(markup.elements.allSatisfy { $0.range.upperBound <= markup.bytes.count }, "\(html)")
            _ = markup.text
        }
    }
}
