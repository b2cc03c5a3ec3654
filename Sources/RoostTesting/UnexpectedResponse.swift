/// A response's body could not be read as the test expected.
public struct UnexpectedResponse: Error, CustomStringConvertible {
    /// The response.
    public let response: HTTPClient.Response
    /// The error that says what is wrong with the response.
    public let reason: any Error

    init(_ response: HTTPClient.Response, _ reason: any Error) {
        self.response = response
        self.reason = reason
    }

    /// The reason, and the whole response.
    public var description: String { "\(reason) The response is \(response)" }
}
