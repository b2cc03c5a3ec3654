package import PatternCore
package import Roost

/// Gives each request of a pattern its ``Visitor``, and notes what roles call when a visitor does something.
///
/// These are no sessions of the site, and open nothing there: they have their own store and their own cookie. Browsers
/// send that to the whole site, since the event stream of its live pages has one address. What it guards is public, so
/// it travels over plain HTTP, too.
package struct Visits: Middleware {
    package static let cookieName = "gallery"

    private let pattern: Pattern
    private let store: MemorySessionStore
    private let pause: @Sendable () async throws -> Void
    private let isHTTPS: Bool
    private let isTraced: Bool
    /// The names of the visitors about whom something else is kept now.
    private let changes = Topic<String>()

    /// - Parameter pause: The wait of a login, before it is answered.
    package init(
        _ pattern: Pattern, in store: MemorySessionStore, pause: @escaping @Sendable () async throws -> Void,
        isHTTPS: Bool, isTraced: Bool
    ) {
        self.pattern = pattern
        self.store = store
        self.pause = pause
        self.isHTTPS = isHTTPS
        self.isTraced = isTraced
    }

    package func respond(to request: Request, next: Next) async throws -> Response {
        let token = request.cookie(Self.cookieName)
        let kept = token.flatMap(store.values(for:))
        let visitor = Visitor(pattern, kept ?? [:], changes: changes, pause: pause)
        var request = request
        request[Visitor.Key.self] = visitor
        var response = try await respond(to: request, from: visitor, next)
        let changes = visitor.changes(since: kept ?? [:])
        if !changes.isEmpty {
            try keep(changes, of: visitor, for: kept == nil ? nil : token, request, in: &response)
            if let id = visitor.id { self.changes.publish(id) }
        }
        if !visitor.all.isEmpty { response.headers[.cacheControl] = "no-store" }
        return response
    }

    /// Responds to a visitor's request; only a `POST`, which is something that the visitor does, is traced.
    private func respond(to request: Request, from visitor: Visitor, _ next: Next) async throws -> Response {
        guard isTraced, request.method == .post else { return try await next(request) }
        let trace = Trace()
        let response = try await Trace.$current.withValue(trace) { try await next(request) }
        if !trace.calls.isEmpty { visitor["trace"] = trace.calls.joined(separator: "\n") }
        return response
    }

    /// Keeps what has changed, and only that: another request of the visitor may have changed something else meanwhile.
    /// A visitor who signs in gets a new token, so that one which somebody else has planted is worthless.
    private func keep(
        _ changes: [String: String?], of visitor: Visitor, for token: String?, _ request: Request,
        in response: inout Response
    ) throws {
        if let token, !changes.keys.contains("\(pattern.rawValue) user") {
            return store.change(changes, for: token)
        }
        let new = Hexadecimal.random()
        if token.flatMap({ store.replace($0, with: new, changes) }) == nil {
            // The store is small, and shares its places among addresses.
            let address = request.clientNetwork.map { [Session.addressKey: "\($0)"] } ?? [:]
            store.save(visitor.all.merging(address) { _, new in new }, for: new)
        }
        let cookie = Cookie(name: Self.cookieName, value: new, isSecure: request.isHTTPS(orElse: isHTTPS))
        try response.setCookie(cookie)
    }
}
