extension Browser {
    /// A line of the browser's console.
    struct LogEntry: Sendable, Hashable, CustomStringConvertible {
        /// `SEVERE`, `WARNING`, `INFO` or `DEBUG`.
        let level: String
        /// The source of the entry: `console-api`, `network`, `security`, `javascript`, …
        let source: String
        /// The place and the message, as in `http://127.0.0.1:3000/site.js 3:9 "text"`.
        let message: String

        var description: String {
            "\(level) \(source): \(message)"
        }
    }
}
