import Synchronization

/// The pattern of a route, `/users/{id}`, with a number. There is one of each pattern in a process, for ever, so that a
/// request can refer to it without counting references.
package final class RoutePattern: Sendable {
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

    /// The address by which another thread finds a pattern; 0 without one.
    static func address(of pattern: RoutePattern?) -> UInt {
        pattern.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    }

    /// The pattern at an address: patterns are never freed.
    static func at(_ address: UInt) -> RoutePattern? {
        UnsafeRawPointer(bitPattern: address).map { Unmanaged<RoutePattern>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The texts of the patterns at addresses, in order.
    package static func texts(at addresses: [UInt]) -> [String] {
        addresses.compactMap { at($0)?.text }.filter { !$0.isEmpty }.sorted()
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

/// An observer of the routes that run.
protocol RouteObserver: AnyObject, Sendable {
    /// The router has found the route of a request, and its handler is about to run.
    func begin(_ route: RoutePattern?)
}
