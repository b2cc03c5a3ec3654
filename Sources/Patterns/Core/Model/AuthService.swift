/// A stub with one user, as slow as a service on another machine.
package struct AuthService: AuthServicing {
    package static let email = "test@example.com"
    package static let password = "123456"

    private let pause: @Sendable () async throws -> Void

    /// - Parameter delay: How long each answer takes. The task waits and its thread does not, so an event loop serves
    ///   others meanwhile.
    package init(delay: Duration = .seconds(1)) {
        self.init { if delay > .zero { try await Task.sleep(for: delay) } }
    }

    /// - Parameter pause: What to wait for before each answer; a test opens a gate instead of waiting for time to pass.
    package init(pause: @escaping @Sendable () async throws -> Void) {
        self.pause = pause
    }

    package func login(email: String, password: String) async throws(AuthError) -> User {
        trace()
        do { try await pause() } catch { throw .interrupted }
        guard email.utf8.elementsEqual(Self.email.utf8), password.utf8.elementsEqual(Self.password.utf8) else {
            throw .invalidCredentials
        }
        return User(id: 1, email: email)
    }
}
