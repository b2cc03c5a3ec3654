package import PatternCore
package import Roost
import Synchronization

/// What the gallery remembers about one browser, in one pattern: each pattern has its own login.
package final class Visitor: Sendable {
    package let pattern: Pattern
    private let values: Mutex<[String: String]>

    init(_ pattern: Pattern, _ values: [String: String]) {
        self.pattern = pattern
        self.values = Mutex(values)
    }

    /// A value by name; nil when there is none.
    package subscript(name: String) -> String? {
        get { values.withLock { $0[key(name)] } }
        set { values.withLock { $0[key(name)] = newValue } }
    }

    /// Who has signed in with this pattern.
    package var user: User? {
        get { self["user"].map { User(id: 1, email: $0) } }
        set { self["user"] = newValue?.email }
    }

    /// Everything that is remembered about the browser, in all patterns.
    var all: [String: String] { values.withLock { $0 } }

    private func key(_ name: String) -> String { "\(pattern.rawValue) \(name)" }
}

extension Visitor {
    enum Key: RequestKey { typealias Value = Visitor }
}

extension Request {
    /// The browser that sent this request, in the pattern of its route.
    /// - Throws: `HTTPError` with 500 on a route without ``Visits``.
    package var visitor: Visitor {
        get throws {
            guard let visitor = self[Visitor.Key.self] else { throw HTTPError(.internalServerError) }
            return visitor
        }
    }
}
