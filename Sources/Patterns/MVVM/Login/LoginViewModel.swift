import PatternCore

/// The view model: it has the state of the login, and changes it. Whether anybody looks, it does not know.
final class LoginViewModel: Sendable {
    let state = Observed(LoginState())
    private let authService: any AuthServicing

    init(authService: any AuthServicing) {
        self.authService = authService
    }

    /// Bound both ways, as `$vm.email` is: what the form sends is written here, and what is written here is shown.
    var email: String {
        get { state.value.email }
        set { state.change { $0.email = newValue } }
    }

    /// The password that the form sends. It is emptied when it was wrong, and no page shows it.
    var password: String {
        get { state.value.password }
        set { state.change { $0.password = newValue } }
    }

    /// The error that is shown; nil for none.
    var errorMessage: String? {
        get { state.value.errorMessage }
        set { state.change { $0.errorMessage = newValue } }
    }

    func login() async {
        trace()
        guard let (email, password) = begin() else { return }
        do {
            _ = try await authService.login(email: email, password: password)
            state.change { state in
                state.isLoading = false
                state.isLoggedIn = true
            }
        } catch {
            state.change { state in
                state.isLoading = false
                state.password = ""
                state.errorMessage = error.message
            }
        }
    }

    /// Checks what was typed; nil when nothing is to be done. While one login is under way, another one is not begun.
    private func begin() -> (email: String, password: String)? {
        state.change { state in
            guard !state.isLoading, !state.isLoggedIn else { return nil }
            state.errorMessage = mistake(in: state)
            state.isLoading = state.errorMessage == nil
            return state.isLoading ? (state.email, state.password) : nil
        }
    }

    private func mistake(in state: LoginState) -> String? {
        if state.email.isEmpty { return "Email cannot be empty" }
        return state.password.isEmpty ? "Password cannot be empty" : nil
    }
}
