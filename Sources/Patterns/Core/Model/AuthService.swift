/// A stub with one user, as slow as a service on another machine.
package struct AuthService: AuthServicing {
    package static let email = "test@example.com"
    package static let password = "123456"

    private let store: any KeyValueStore
    private let pause: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - store: Where it remembers who has signed in.
    ///   - pause: The wait before it answers, without holding up an event loop.
    package init(store: any KeyValueStore, pause: @escaping @Sendable () async throws -> Void = {}) {
        self.store = store
        self.pause = pause
    }

    package var user: User? { store["user"].map { User(id: 1, email: $0) } }

    /// Remembers the user whom another one remembers: that of a login that began before the browser had a session.
    /// - Returns: Whether it remembers one.
    package func takeOver(from other: AuthService) -> Bool {
        guard let user = other.user else { return false }
        store["user"] = user.email
        return true
    }

    package func login(email: String, password: String) async throws(AuthError) -> User {
        trace()
        do { try await pause() } catch { throw .interrupted }
        guard email.utf8.elementsEqual(Self.email.utf8), password.utf8.elementsEqual(Self.password.utf8) else {
            throw .invalidCredentials
        }
        store["user"] = email
        return User(id: 1, email: email)
    }
}
