/// An address and a password as somebody typed them, both there.
struct Credentials: Sendable, Equatable {
    let email: String
    /// Exactly as typed: blanks belong to a password.
    let password: String

    /// Trims the address and checks that nothing is missing.
    init(email: String, password: String) throws(MissingCredentials) {
        let email = String(email.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        guard !email.isEmpty, !password.isEmpty else {
            throw MissingCredentials(email: email.isEmpty, password: password.isEmpty)
        }
        self.email = email
        self.password = password
    }
}

/// What is missing.
struct MissingCredentials: Error, Equatable {
    let email: Bool
    let password: Bool

    var emailMessage: String? { email ? "Email cannot be empty" : nil }
    var passwordMessage: String? { password ? "Password cannot be empty" : nil }
}
