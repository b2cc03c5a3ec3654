/// Middleware that gives each request a value that handlers and pages ask for, such as the user who sends it:
///
///     enum CurrentUser: RequestKey { typealias Value = User }
///
///     let user = Provide(CurrentUser.self) { request in try await users.user(token: request.credentials("Bearer")) }
///     routes.group(Path("/api"), middleware: [user]) { routes in
///         routes.get(Path("/me")) { request in request[CurrentUser.self]?.name ?? "nobody" }
///     }
///
/// It finds the value for every request. If few handlers need a value that is expensive, let them find it themselves.
public struct Provide<Key: RequestKey>: Middleware {
    private let find: @Sendable (Request) async throws -> Key.Value?

    /// Creates the middleware for the value of a key.
    /// - Parameter find: Finds the value; nil for none. An error that it throws ends the request.
    public init(_ key: Key.Type, find: @escaping @Sendable (Request) async throws -> Key.Value?) {
        self.find = find
    }

    /// Passes the request on with its value.
    public func respond(to request: Request, next: Next) async throws -> Response {
        var request = request
        request[Key.self] = try await find(request)
        return try await next(request)
    }
}
