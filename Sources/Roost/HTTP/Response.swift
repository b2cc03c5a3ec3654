public import HTTPTypes

/// A response as a value: a status, header fields and a body.
///
/// The server itself sets `Date`, `Content-Length`, `Transfer-Encoding` and `Connection`, from the body and the state
/// of the connection, whatever is set here.
public struct Response: Sendable {
    /// The status (RFC 9110 §15).
    public var status: HTTPResponse.Status
    /// The header fields.
    public var headers: Headers
    /// The content.
    public var body: Body

    /// A response with these parts.
    public init(_ status: HTTPResponse.Status = .ok, headers: Headers = Headers(), body: Body = Body()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with a body of a media type, such as `Response(.ok, "text/css", Body(bytes))`.
    public init(_ status: HTTPResponse.Status = .ok, _ contentType: String, _ body: Body) {
        self.init(status, headers: Headers(contentType: contentType), body: body)
    }

    /// Plain text in UTF-8.
    public static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(status, "text/plain; charset=utf-8", Body(text))
    }

    /// A page in UTF-8.
    public static func html(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(status, "text/html; charset=utf-8", Body(html))
    }

    /// Redirects the client: with 303 See Other unless another status is given, so that what follows a form is fetched
    /// with `GET` (RFC 9110 §15.4.4).
    /// - Parameter location: A URL, or a path on this site. Characters that a URI reference cannot have are
    ///   percent-encoded (`/ümlaut`; RFC 3986 §2.1); with a line break or NUL in it, the response becomes a 500, which
    ///   is logged. If it comes from the client, check it first with ``LocalPath``.
    public static func redirect(to location: String, status: HTTPResponse.Status = .seeOther) -> Response {
        Response(status, headers: [.location: PercentEncoding.encodedReference(location)])
    }
}
