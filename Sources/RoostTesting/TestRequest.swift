import HTTPTypes
public import Roost

/// Sends requests of one method; ``TestClient/get`` and its neighbours give one, which is called:
///
///     let response = try await client.post("/users", json: ["name": "Ada"])
///
/// Redirects are not followed. A response that is malformed or does not come is an ``HTTPClientError``.
public struct TestRequest: Sendable {
    let client: TestClient
    let method: HTTPRequest.Method

    /// Sends these bytes as the body and returns the response.
    public func callAsFunction(
        _ path: String,
        headers: Headers = [:],
        body: [UInt8] = []
    ) async throws -> HTTPClient.Response {
        try await client.request(method, path, headers: headers, body: body)
    }

    /// Sends a form as the body and returns the response.
    public func callAsFunction(
        _ path: String,
        form: Form,
        headers: Headers = [:]
    ) async throws -> HTTPClient.Response {
        try await send(path, Array(form.urlEncoded.utf8), "application/x-www-form-urlencoded", headers)
    }

    /// Sends a value as JSON, written as the application writes it, and returns the response.
    public func callAsFunction(
        _ path: String,
        json: some Encodable & Sendable,
        headers: Headers = [:]
    ) async throws -> HTTPClient.Response {
        try await send(path, try client.application.json.encode(json), "application/json", headers)
    }

    private func send(
        _ path: String,
        _ body: [UInt8],
        _ type: String,
        _ headers: Headers
    ) async throws -> HTTPClient.Response {
        var headers = headers
        headers[.contentType] = type
        return try await client.request(method, path, headers: headers, body: body)
    }
}
