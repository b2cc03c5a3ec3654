package import PatternCore
package import Roost
import Synchronization

/// One browser, and what the models of one pattern keep about it: each pattern has its own login.
package final class Visitor: KeyValueStore {
    package let pattern: Pattern
    private let pause: @Sendable () async throws -> Void
    private let values: Mutex<[String: String]>

    init(_ pattern: Pattern, _ values: [String: String], pause: @escaping @Sendable () async throws -> Void) {
        self.pattern = pattern
        self.pause = pause
        self.values = Mutex(values)
    }

    package subscript(name: String) -> String? {
        get { values.withLock { $0[key(name)] } }
        set { values.withLock { $0[key(name)] = newValue } }
    }

    /// The model of the login, which remembers this visitor.
    package var authService: AuthService { AuthService(store: self, pause: pause) }

    /// One of whom nothing is known, of whom others make a known one later.
    package func stranger() -> Visitor { Visitor(pattern, [:], pause: pause) }

    /// All values that are kept about the browser, in all patterns.
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
