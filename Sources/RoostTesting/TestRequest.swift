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

    /// Sends a value as JSON, written as the application writes it, and returns the response.
    public func callAsFunction(
        _ path: String,
        json: some Encodable & Sendable,
        headers: Headers = [:],
        followsRedirects: Bool = false
    ) async throws -> WireClient.Response {
        let body = try client.application.json.encode(json)
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

    /// Resolves a `Location` (RFC 3986 §5.2, for the references that applications send); nil for a URL of another host.
    init?(_ location: String, from current: String, host: String) {
        let location = location.utf8.prefix { $0 != UInt8(ascii: "#") }
        var path = String(Substring(location))
        for scheme in ["http://", "https://"] where path.hasPrefix(scheme) {
            let rest = path.utf8.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            guard authority.elementsEqual(host.utf8) else { return nil }
            path = String(Substring(rest.dropFirst(authority.count)))
            if !path.hasPrefix("/") { path = "/" + path }
        }
        guard !path.hasPrefix("//") else { return nil }
        let base = String(Substring(current.utf8.prefix { $0 != UInt8(ascii: "?") }))
        if path.isEmpty {
            path = current
        } else if path.hasPrefix("?") {
            path = base + path
        } else if !path.hasPrefix("/") {
            let folder = base.utf8.lastIndex(of: UInt8(ascii: "/")).map { base.utf8[...$0] } ?? base.utf8[...]
            path = String(Substring(folder)) + path
        }
        self.path = path
    }
}

/// The error for an application that redirects for ever.
struct TooManyRedirects: Error, CustomStringConvertible {
    let description = "More than ten redirects follow each other."
}
