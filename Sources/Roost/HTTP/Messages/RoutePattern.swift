import Synchronization

/// The pattern of a route, `/users/{id}`, with a number. There is one of each pattern in a process, for ever, so that a
/// request can refer to it without counting references.
final class RoutePattern: Sendable {
    let text: String
    /// The number of the pattern, from 1 on; 0 stands for no route.
    let number: Int

    private static let known = Mutex<[String: RoutePattern]>([:])

    /// Stands for requests that metrics leave out.
    static let uncounted = named("")

    private init(_ text: String, _ number: Int) {
        self.text = text
        self.number = number
    }

    /// Returns the pattern of a text.
    static func named(_ text: String) -> RoutePattern {
        known.withLock { known in
            if let pattern = known[text] { return pattern }
            let pattern = RoutePattern(text, known.count + 1)
            known[text] = pattern
            return pattern
        }
    }
}
