import PatternCore
package import Roost

/// The way between screens during one request: what `UINavigationController` is on a phone. Where a request ends with
/// a view, the response is its page; where it ends elsewhere, the response is a redirect.
package final class Navigation {
    /// The browser that sent the request.
    package let visitor: Visitor
    private var view: (any ViewController)?
    private var location: String?

    fileprivate init(_ visitor: Visitor) {
        self.visitor = visitor
    }

    /// Puts a view on the screen, which keeps it alive.
    @discardableResult
    package func show<View: ViewController>(_ view: View) -> View {
        self.view = view
        return view
    }

    /// Goes on to another screen.
    package func go<each Parameter: PathParameter>(
        to path: Path<repeat each Parameter>, _ values: repeat each Parameter
    ) {
        location = path.url(repeat each values)
    }

    fileprivate var response: Response {
        if let location { return .redirect(to: location) }
        return view?.page.response(in: visitor.pattern) ?? Response(.noContent)
    }
}

extension Request {
    /// The response to something that happens on a screen.
    /// - Parameters:
    ///   - start: Makes the first object of the pattern, a view or the root coordinator. It is kept until the response
    ///     is made, as a `SceneDelegate` keeps it on a phone.
    ///   - event: The event that it is told, such as `viewDidLoad`.
    package func navigate<Root: AnyObject>(
        _ start: (Navigation) -> Root, _ event: (Root) async throws -> Void
    ) async throws -> Response {
        let navigation = Navigation(try visitor)
        let root = start(navigation)
        try await event(root)
        return withExtendedLifetime(root) { navigation.response }
    }
}
