/// A service of which the window of development has a page, such as a queue of jobs.
package protocol WindowPart: Service {
    /// The title of the page, one word.
    var windowTitle: String { get }

    /// The rows of the page, the most important first; at most some hundreds.
    /// - Throws: Any error, which the page shows.
    func windowRows() async throws -> [WindowPartRow]
}

/// A row of such a page.
package struct WindowPartRow: Encodable, Sendable {
    let title, text: String
    let warning: String?

    /// - Parameter warning: What is wrong with it; nil for nothing.
    package init(_ title: String, _ text: String, warning: String? = nil) {
        self.title = title
        self.text = text
        self.warning = warning
    }
}
