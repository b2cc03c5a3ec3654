/// Why the browser did not do what a test asked of it.
struct WebDriverError: Error, CustomStringConvertible {
    /// The W3C error code, such as `no such element`, or a name for a failure outside the protocol.
    let code: String
    /// The driver's message.
    let message: String

    var description: String {
        "\(code): \(message)"
    }
}
