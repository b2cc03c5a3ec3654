/// Why nobody was signed in.
package enum AuthError: Error {
    case invalidCredentials
    /// The visitor left, or the server stopped, before the service had an answer.
    case interrupted

    /// What a person is told.
    package var message: String {
        switch self {
        case .invalidCredentials: "Invalid email or password"
        case .interrupted: "The login was interrupted"
        }
    }
}
