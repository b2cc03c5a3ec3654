public import HTTPTypes

extension Request {
    /// Responds in the form that the client prefers: JSON for programs, a page for browsers (RFC 9110 §12.1).
    ///
    ///     return request.negotiate(json: users, html: View("users/index", UsersPage(users)))
    ///
    /// Only the chosen form is made. The response has `Vary: Accept`; a client that accepts neither gets 406. If making
    /// one has to wait, or there are other forms, use ``negotiate(_:)``.
    /// - Parameters:
    ///   - status: The status of the JSON; a view has its own.
    ///   - headers: Fields of the JSON; a view has its own.
    /// - Throws: The errors of the expressions. The 406, and errors of encoding and rendering, arise after this has
    ///   returned.
    public func negotiate<Value: Encodable & Sendable>(
        status: HTTPResponse.Status = .ok,
        headers: consuming Headers = [:],
        json: @autoclosure () throws -> Value,
        html: @autoclosure () throws -> View
    ) rethrows -> Response {
        switch accept.best(of: [.json, .html]) {
        case .json: return Response(writing: try json(), status, consume headers, for: self).varying()
        case .html:
            let view = try html()
            return Response(view.status, view.headers, deferred: .page(view)).varying()
        default:
            return Response(.notAcceptable, [:], deferred: .made { _, _ in throw Self.notAcceptable([.json, .html]) })
        }
    }

    /// Responds in the form that the client prefers, among any media types. If the client accepts several equally, or
    /// states no preference, it gets the first of them.
    ///
    ///     return try await request.negotiate([
    ///         .json: { .json(users) },
    ///         .html: { .view("users/index", try await UsersPage(users, request)) },
    ///         .csv: { Response(.ok, "text/csv", Body(users.csv)) },
    ///     ])
    ///
    /// Only the chosen one is made. The response has `Vary: Accept`.
    /// - Throws: ``HTTPError`` with 406 when the client accepts none of them; what making the response throws.
    public func negotiate(
        _ representations: KeyValuePairs<MediaType, () async throws -> Response>
    ) async throws -> Response {
        var best: (() async throws -> Response)?
        var highest = 0
        for (type, make) in representations {
            let quality = acceptedQuality(of: type)
            if quality > highest { (best, highest) = (make, quality) }
        }
        guard let best else { throw Self.notAcceptable(representations.map(\.key)) }
        return try await best().varying()
    }

    /// The error for a client that accepts none of the representations.
    private static func notAcceptable(_ types: [MediaType]) -> HTTPError {
        let names = types.map { "\($0.type)/\($0.subtype)" }
        return HTTPError(
            .notAcceptable, Sentence("This is available as {types}.", ["types": names.joined(separator: ", ")]))
    }

    /// Whether the client prefers a page to JSON, as browsers usually do.
    public var prefersPage: Bool { accept.best(of: [.json, .html]) == .html }
}

extension Response {
    /// The response with a field that tells caches that other clients may get another one (RFC 9110 §12.5.5).
    fileprivate consuming func varying() -> Response {
        var response = self
        response.headers.addToVary(.accept)
        return response
    }
}
