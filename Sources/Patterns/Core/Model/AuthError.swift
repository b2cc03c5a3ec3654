/// The reason why a sign-in has failed.
package enum AuthError: Error {
    case invalidCredentials
    /// The visitor left, or the server stopped, before the service had an answer.
    case interrupted

    /// The message for people.
    package var message: String {
        switch self {
        case .invalidCredentials: "Invalid email or password"
        case .interrupted: "The login was interrupted"
        }
    }
}
