/// Why a child process did not do what a test expected of it.
package struct ProcessError: Error, CustomStringConvertible {
    /// What happened.
    package let code: String
    /// Its output so far, or the system's message.
    package let message: String

    package init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(code): \(message)" }
}
