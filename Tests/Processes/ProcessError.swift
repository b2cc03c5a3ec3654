/// The error for a child process that did not do what a test expected of it.
package struct ProcessError: Error, CustomStringConvertible {
    /// The kind of the error.
    package let code: String
    /// The output so far, or the system's message.
    package let message: String

    package init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(code): \(message)" }
}
