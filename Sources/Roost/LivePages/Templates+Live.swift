extension Templates {
    /// Checks that a fragment is what the page itself shows in its place, for tests.
    ///
    ///     @Test func `a task looks the same wherever it comes from`() throws {
    ///         try templates.check(View("board/task", task), in: View("board", BoardPage(tasks: [task])))
    ///     }
    ///
    /// The fragment has one root element with an id, and the page an element with the same id, tags and texts; white
    /// space between them may differ.
    /// - Parameter pageValues: A sample of the values that the application gives to every page; a fragment gets none.
    /// - Throws: An error that says what is wrong; ``TemplateError`` for what cannot be rendered.
    public func check(
        _ fragment: View, in page: View, pageValues: (any Encodable & Sendable)? = nil
    ) throws {
        let templates = try frozen
        let part = try LiveFragment(fragment, in: templates)
        let markup = Markup(try page.render(templates, pageValues, nil, nil) { nil })
        guard let element = markup.element(id: part.id) else {
            throw LiveFragmentError(
                template: fragment.template, "\(page.template) shows no element with the id \"\(part.id)\"")
        }
        let shown = String(decoding: markup.bytes[element.range], as: UTF8.self)
        guard Self.words(shown) == Self.words(part.html) else {
            throw LiveFragmentError(
                template: fragment.template,
                "\(page.template) shows \(LogText.escaped(shown)) and the fragment is \(LogText.escaped(part.html))")
        }
    }

    private static func words(_ html: String) -> [Substring] { html.split(whereSeparator: \.isWhitespace) }
}
