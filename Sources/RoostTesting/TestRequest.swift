import HTTPTypes
public import Roost

/// A sender of requests of one method; ``TestClient/get`` and its neighbours return one, to be called:
///
///     let response = try await client.post("/users", json: ["name": "Ada"])
///     let page = try await client.post("/users", form: form, followsRedirects: true)
///
/// Redirects are followed only on request, up to ten, and only within the application. A response that is malformed or
/// does not come is an ``WireClientError``.
public struct TestRequest: Sendable {
    let client: TestClient
    let method: HTTPRequest.Method

    /// Sends these bytes as the body and returns the response.
    public func callAsFunction(
        _ path: String,
        headers: Headers = [:],
        body: [UInt8] = [],
        followsRedirects: Bool = false
    ) async throws -> WireClient.Response {
        let response = try await client.request(method, path, headers: headers, body: body)
        guard followsRedirects else { return response }
        return try await client.follow(response, to: method, path, headers: headers, body: body)
    }

    /// Sends a text as the body, in UTF-8, and returns the response.
    public func callAsFunction(
        _ path: String,
        headers: Headers = [:],
        body: String,
        followsRedirects: Bool = false
    ) async throws -> WireClient.Response {
        try await self(path, headers: headers, body: Array(body.utf8), followsRedirects: followsRedirects)
    }

    /// Sends a request without a body, whose query has these values as well, and returns the response.
    public func callAsFunction(
        _ path: String,
        query: Form,
        headers: Headers = [:],
        followsRedirects: Bool = false
    ) async throws -> WireClient.Response {
        let mark = path.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return try await self(
            query.fields.isEmpty ? path : path + mark + query.urlEncoded, headers: headers,
            followsRedirects: followsRedirects)
    }

    /// Sends a form as the body and returns the response.
    public func callAsFunction(
        _ path: String,
        form: Form,
        headers: Headers = [:],
        followsRedirects: Bool = false
    ) async throws -> WireClient.Response {
        let type = "application/x-www-form-urlencoded"
        return try await send(path, Array(form.urlEncoded.utf8), type, headers, followsRedirects)
    }

    /// Sends a form with files as the body (`multipart/form-data`, RFC 7578) and returns the response.
    public func callAsFunction(
        _ path: String,
        multipart parts: [FormPart],
        headers: Headers = [:],
        followsRedirects: Bool = false
    ) async throws -> WireClient.Response {
        let (bytes, type) = FormPart.body(parts)
        return try await send(path, bytes, type, headers, followsRedirects)
    }

    /// Sends a value as JSON, written by a coder, or else as the application writes it, and returns the response.
    public func callAsFunction(
        _ path: String,
        json: some Encodable & Sendable,
        using coder: JSONCoder? = nil,
        headers: Headers = [:],
        followsRedirects: Bool = false
    ) async throws -> WireClient.Response {
        let body = try (coder ?? client.application.json).encode(json)
        return try await send(path, body, "application/json", headers, followsRedirects)
    }

    private func send(
        _ path: String,
        _ body: [UInt8],
        _ type: String,
        _ headers: Headers,
        _ followsRedirects: Bool
    ) async throws -> WireClient.Response {
        var headers = headers
        if !headers.contains(.contentType) { headers[.contentType] = type }
        return try await self(path, headers: headers, body: body, followsRedirects: followsRedirects)
    }
}

/// The target of a redirect within the application.
struct RedirectTarget {
    /// The path with the query, and without the fragment, which browsers keep to themselves.
    let path: String

    private static let (slash, question) = (UInt8(ascii: "/"), UInt8(ascii: "?"))

    /// Resolves a `Location` (RFC 3986 §5.2, for the references that applications send); nil for a URL of another host
    /// or scheme.
    /// - Parameter isHTTPS: Whether the application takes itself for HTTPS, so that such a URL is one of its own.
    init?(_ location: String, from current: String, host: String, isHTTPS: Bool) {
        var rest = location.utf8.prefix { $0 != UInt8(ascii: "#") }
        var isSecure = isHTTPS
        if let scheme = Self.scheme(of: rest) {
            isSecure = scheme.elementsEqual("https".utf8)
            guard isSecure ? isHTTPS : scheme.elementsEqual("http".utf8) else { return nil }
            rest = rest.dropFirst(scheme.count + 1)
            guard rest.starts(with: "//".utf8) else { return nil }
        }
        if rest.starts(with: "//".utf8) {
            let authority = rest.dropFirst(2).prefix { $0 != Self.slash && $0 != Self.question }
            let port = isSecure ? ":443" : ":80"
            guard Self.normal(authority, port) == Self.normal(host.utf8[...], port) else { return nil }
            rest = rest[authority.endIndex...]
            path = (rest.first == Self.slash ? "" : "/") + String(Substring(rest))
            return
        }
        let base = current.utf8.prefix { $0 != Self.question }
        let start: Substring.UTF8View
        switch rest.first {
        case nil: start = current.utf8[...]
        case Self.slash: start = current.utf8.prefix(0)
        case Self.question: start = base
        default: start = base.lastIndex(of: Self.slash).map { base[...$0] } ?? base
        }
        path = String(Substring(start)) + String(Substring(rest))
    }

    /// The scheme with which a URL begins, in small letters; nil for a reference without one (RFC 3986 §3.1).
    ///
    ///     scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    private static func scheme(of reference: Substring.UTF8View) -> [UInt8]? {
        let name = reference.prefix { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
        guard let first = name.first, !first.isDigit, first.isLetterOrDigit,
            reference.dropFirst(name.count).first == UInt8(ascii: ":")
        else { return nil }
        return name.map(\.lowercased)
    }

    /// A host in small letters, without the port that its scheme has anyway.
    private static func normal(_ authority: Substring.UTF8View, _ port: String) -> [UInt8] {
        let hasPort = authority.suffix(port.utf8.count).elementsEqual(port.utf8)
        return authority.dropLast(hasPort ? port.utf8.count : 0).map(\.lowercased)
    }
}

/// The error for an application that redirects for ever.
struct TooManyRedirects: Error, CustomStringConvertible {
    let description = "More than ten redirects follow each other."
}
