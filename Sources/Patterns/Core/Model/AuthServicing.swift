/// Knows who may sign in: the model that the login of every pattern asks.
package protocol AuthServicing: Sendable {
    /// The user with this email address and password, both compared exactly.
    func login(email: String, password: String) async throws(AuthError) -> User
}
