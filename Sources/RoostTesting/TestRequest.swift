import HTTPTypes
public import Roost

/// Sends requests of one method; ``TestClient/get`` and its neighbours give one, which is called:
///
///     let response = try await client.post("/users", json: ["name": "Ada"])
///     let page = try await client.post("/users", form: form, followsRedirects: true)
///
/// Redirects are followed only on request, up to ten, and only within the application. A response that is malformed or
/// does not come is an ``HTTPClientError``.
public struct TestRequest: Sendable {
    let client: TestClient
    let method: HTTPRequest.Method

    /// Sends these bytes as the body and returns the response.
    public func callAsFunction(
        _ path: String,
        headers: Headers = [:],
        body: [UInt8] = [],
        followsRedirects: Bool = false
    ) async throws -> HTTPClient.Response {
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
    ) async throws -> HTTPClient.Response {
        let type = "application/x-www-form-urlencoded"
        return try await send(path, Array(form.urlEncoded.utf8), type, headers, followsRedirects)
    }

    /// Sends a form with files as the body (`multipart/form-data`, RFC 7578) and returns the response.
    public func callAsFunction(
        _ path: String,
        multipart parts: [TestPart],
        headers: Headers = [:],
        followsRedirects: Bool = false
    ) async throws -> HTTPClient.Response {
        // Longer than any boundary by chance; a file in a test hardly contains it.
        let boundary = "roost-\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"
        let type = "multipart/form-data; boundary=\(boundary)"
        return try await send(path, TestPart.body(parts, boundary: boundary), type, headers, followsRedirects)
    }

    /// Sends a value as JSON, written as the application writes it, and returns the response.
    public func callAsFunction(
        _ path: String,
        json: some Encodable & Sendable,
        headers: Headers = [:],
        followsRedirects: Bool = false
    ) async throws -> HTTPClient.Response {
        let body = try client.application.json.encode(json)
        return try await send(path, body, "application/json", headers, followsRedirects)
    }

    private func send(
        _ path: String,
        _ body: [UInt8],
        _ type: String,
        _ headers: Headers,
        _ followsRedirects: Bool
    ) async throws -> HTTPClient.Response {
        var headers = headers
        headers[.contentType] = type
        return try await self(path, headers: headers, body: body, followsRedirects: followsRedirects)
    }
}
