import Roost

/// Lets one who has changed the list see that change in it, where the list is read from a copy of the database that
/// lags: a cookie says how far the copy must have got.
struct OwnChanges: Middleware {
    let users: any UserRepository

    private static let cookie = "seen"

    /// Returns the middleware for the routes that change the list; none where lists are not read from a copy.
    static func middleware(_ users: any UserRepository) -> [any Middleware] {
        users.hasCopy ? [OwnChanges(users: users)] : []
    }

    /// Returns the position that the copy must have reached for a visitor; nil for a program that asks with `no-cache`,
    /// as one without cookies does to see what it has just changed.
    static func position(_ request: Request) -> Int? {
        if request.headers[.cacheControl]?.contains("no-cache") ?? false { return nil }
        return request.cookie(cookie).flatMap { Int($0) } ?? 0
    }

    func respond(to request: Request, next: Next) async throws -> Response {
        var response = try await next(request)
        // The change is made, even if asking for the position fails.
        guard response.status.code < 400, let position = try? await users.position() else {
            return response
        }
        var cookie = Cookie(
            name: Self.cookie, value: "\(position)", maxAge: .seconds(600), isSecure: request.isHTTPS)
        cookie.path = UserController.all.url()
        try response.setCookie(cookie)
        return response
    }
}
