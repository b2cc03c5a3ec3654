import PatternCore
package import Roost

/// What one request leads to: a page, or the way to another screen. It is to these patterns what
/// `UINavigationController` is to those of a phone.
package final class Navigation {
    /// The browser that sent the request.
    package let visitor: Visitor
    /// The response, once a screen has been shown or left.
    package private(set) var response = Response(.noContent)
    /// What must live as long as the request, as a window keeps its root coordinator alive.
    package var root: AnyObject?

    package init(_ request: Request) throws {
        visitor = try request.visitor
    }

    /// Shows a screen.
    package func show(_ screen: String, _ page: some Screen) {
        response = .screen(screen, page, of: visitor.pattern)
    }

    /// Goes on to another screen.
    package func go<each Parameter: PathParameter>(
        to path: Path<repeat each Parameter>, _ values: repeat each Parameter
    ) {
        response = .redirect(to: path.url(repeat each values))
    }
}

extension Request {
    /// The outcome of a request that view controllers respond to.
    package func navigate(_ body: (Navigation) async throws -> Void) async throws -> Response {
        let navigation = try Navigation(self)
        defer { navigation.root = nil }
        try await body(navigation)
        return navigation.response
    }
}
