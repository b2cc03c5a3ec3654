package import PatternCore
package import Roost
import Synchronization

/// One browser, and what the models of one pattern keep about it: each pattern has its own login.
package final class Visitor: KeyValueStore {
    package let pattern: Pattern
    private let changes: Topic<String>
    private let pause: @Sendable () async throws -> Void
    private let values: Mutex<[String: String]>

    /// - Parameters:
    ///   - values: The values that are kept.
    ///   - changes: The names of the browsers about which something else is kept now.
    ///   - pause: The wait of a login, before it is answered.
    init(
        _ pattern: Pattern, _ values: [String: String], changes: Topic<String> = Topic(),
        pause: @escaping @Sendable () async throws -> Void
    ) {
        self.pattern = pattern
        self.changes = changes
        self.pause = pause
        self.values = Mutex(values)
    }

    package subscript(name: String) -> String? {
        get { values.withLock { $0[key(name)] } }
        set { values.withLock { $0[key(name)] = newValue } }
    }

    /// The name of the browser, in all patterns, which nobody can guess; nil for one that has none yet.
    package var id: String? { values.withLock { $0["id"] } }

    /// Returns the browser's name, and gives it one if it has none.
    package func identify() -> String {
        values.withLock { values in
            let id = values["id"] ?? Hexadecimal.random()
            values["id"] = id
            return id
        }
    }

    /// Has a page asked for again whenever something else is kept about this browser.
    package var updates: LiveUpdates {
        let id = identify()
        return .refreshes(on: changes) { $0 == id }
    }

    /// The model of the login, which remembers this visitor.
    package var authService: AuthService { AuthService(store: self, pause: pause) }

    /// One of whom nothing is known, of whom others make a known one later.
    package func stranger() -> Visitor { Visitor(pattern, [:], changes: changes, pause: pause) }

    /// All values that are kept about the browser, in all patterns.
    var all: [String: String] { values.withLock { $0 } }

    /// The values that are others now than they were, by name; nil for one that is gone.
    func changes(since before: [String: String]) -> [String: String?] {
        values.withLock { values in
            var changes: [String: String?] = values.filter { before[$0.key] != $0.value }
            for name in before.keys where values[name] == nil { changes.updateValue(nil, forKey: name) }
            return changes
        }
    }

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
