import PatternCore

/// The view model: it has the state of the login, and changes it. Whether anybody looks, it does not know.
final class LoginViewModel: Sendable {
    let state = Observed(LoginState())
    private let authService: any AuthServicing

    init(authService: any AuthServicing) {
        self.authService = authService
    }

    func login(email: String, password: String) async {
        trace()
        guard begin(email, password) else { return }
        do {
            let user = try await authService.login(email: email, password: password)
            state.change { state in
                state.isLoading = false
                state.user = user
            }
        } catch {
            state.change { state in
                state.isLoading = false
                state.errorMessage = error.message
            }
        }
    }

    /// Checks what was typed. While one login is under way, another one is not begun.
    private func begin(_ email: String, _ password: String) -> Bool {
        state.change { state in
            guard !state.isLoading, state.user == nil else { return false }
            state.email = email
            state.errorMessage = mistake(in: email, password)
            state.isLoading = state.errorMessage == nil
            return state.isLoading
        }
    }

    private func mistake(in email: String, _ password: String) -> String? {
        if email.isEmpty { return "Email cannot be empty" }
        return password.isEmpty ? "Password cannot be empty" : nil
    }
}
