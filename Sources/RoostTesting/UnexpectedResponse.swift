/// A response's body could not be read as the test expected.
public struct UnexpectedResponse: Error, CustomStringConvertible {
    /// The response.
    public let response: HTTPClient.Response
    /// What is wrong with its body.
    public let reason: any Error

    init(_ response: HTTPClient.Response, _ reason: any Error) {
        self.response = response
        self.reason = reason
    }

    /// The reason, the status, and the beginning of the body.
    public var description: String {
        let body = response.text.unicodeScalars.prefix(1000)
        return "\(reason) The response is \(response.status):\n\(String(body))"
    }
}
