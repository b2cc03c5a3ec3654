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

    /// The response to a request with these bytes as its body.
    public func callAsFunction(
        _ path: String,
        headers: Headers = [:],
        body: [UInt8] = []
    ) async throws -> HTTPClient.Response {
        try await client.request(method, path, headers: headers, body: body)
    }

    /// The response to a request with a form as its body.
    public func callAsFunction(
        _ path: String,
        form: Form,
        headers: Headers = [:]
    ) async throws -> HTTPClient.Response {
        try await send(path, Array(form.urlEncoded.utf8), "application/x-www-form-urlencoded", headers)
    }

    /// The response to a request with a value as JSON as its body, written as the application writes it.
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
