public import HTTPTypes
import Synchronization

/// A value that a handler may return: anything that can become a response, with the help of the application's
/// templates.
public protocol ResponseConvertible: Sendable {
    /// The response to a request.
    consuming func response(for request: Request, in context: ResponseContext) throws -> Response
}

/// The parts of an application that turn a value into a response: its templates, and the values that every page shows.
public final class ResponseContext: Sendable {
    /// Finds the values that every page shows beside its own, for one request.
    typealias PageValues = @Sendable (Request) async throws -> any Encodable & Sendable

    /// The parsed templates; nil in an application without pages.
    let templates: Templates?
    /// The values for every page; nil when pages show only their own.
    let pageValues: PageValues?
    /// The path of the script of live pages; nil in an application without them.
    private let script = Mutex<String?>(nil)
    /// Names the route of a request and its parameters, once the routes are known; only for people who mend errors.
    private let routes = Mutex<(@Sendable (Request) -> String?)?>(nil)

    init(templates: Templates?, pageValues: PageValues? = nil) {
        self.templates = templates
        self.pageValues = pageValues
    }

    /// Says how the route of a request is found.
    func nameRoutes(_ name: @escaping @Sendable (Request) -> String?) { routes.withLock { $0 = name } }

    /// The path of the script of live pages, where it is served.
    var liveScript: String? {
        get { script.withLock { $0 } }
        set { script.withLock { $0 = newValue } }
    }

    /// The route of a request, with its parameters and where it is declared.
    func route(of request: Request) -> String? { routes.withLock { $0 }?(request) }
}

extension Response: ResponseConvertible {
    /// Returns the response itself. Any deferred content is made once the handler has returned it.
    public consuming func response(for request: Request, in context: ResponseContext) -> Response { self }
}

extension String: ResponseConvertible {
    /// Plain text.
    public func response(for request: Request, in context: ResponseContext) -> Response { .text(self) }
}

extension HTTPResponse.Status: ResponseConvertible {
    /// A status without content.
    public func response(for request: Request, in context: ResponseContext) -> Response { Response(self) }
}
