/// The model that the login of every pattern asks: it knows who may sign in, and remembers who has.
package protocol AuthServicing: Sendable {
    /// The user who has signed in; nil when nobody has.
    var user: User? { get }

    /// Signs in the user with this email address and password, both compared exactly.
    func login(email: String, password: String) async throws(AuthError) -> User
}
