public import HTTPTypes

extension Request {
    /// Answers in the form that the client prefers: JSON for programs, a page for browsers (RFC 9110 §12.1).
    ///
    /// Only the chosen one is made. The response says `Vary: Accept`; a client that accepts neither gets 406.
    ///
    ///     return request.negotiate(json: users, html: View("users/index", UsersPage(users)))
    ///
    /// - Parameters:
    ///   - status: The status of the JSON; a view has its own.
    ///   - headers: Fields of the JSON; a view has its own.
    public func negotiate<Value: Encodable & Sendable>(
        status: HTTPResponse.Status = .ok,
        headers: Headers = [:],
        json: @autoclosure () throws -> Value,
        html: @autoclosure () throws -> View
    ) rethrows -> Negotiated {
        switch accept.best(of: [.json, .html]) {
        case .json: Negotiated(try JSON(json(), status: status, headers: headers))
        case .html: Negotiated(try html())
        default: Negotiated(nil)
        }
    }
}

extension Request {
    /// Whether the client would rather have a page than JSON: a browser, as a rule.
    public var prefersPage: Bool { accept.best(of: [.json, .html]) == .html }
}

/// The representation that a client preferred.
public struct Negotiated: ResponseConvertible {
    private let chosen: (any ResponseConvertible)?

    init(_ chosen: (any ResponseConvertible)?) { self.chosen = chosen }

    /// The chosen representation, with `Vary`.
    /// - Throws: ``HTTPError`` with 406 when the client accepts none.
    public func response(for request: Request, in context: ResponseContext) throws -> Response {
        guard let chosen else {
            throw HTTPError(.notAcceptable, "This is available as application/json and text/html.")
        }
        var response = try chosen.response(for: request, in: context)
        response.headers[.vary] = "Accept"
        return response
    }
}
