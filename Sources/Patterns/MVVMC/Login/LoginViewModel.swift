import PatternCore

/// The view model: it says what is to be shown, and that a login has succeeded. What follows is not its business.
final class LoginViewModel {
    var email = ""
    var password = ""

    var onLoadingStateChange: ((Bool) -> Void)?
    var onErrorMessage: ((String) -> Void)?
    var onLoginSuccess: (() -> Void)?

    private let authService: any AuthServicing

    init(authService: any AuthServicing) {
        self.authService = authService
    }

    func loginTapped() async {
        trace()
        guard !email.isEmpty else {
            onErrorMessage?("Email cannot be empty")
            return
        }
        guard !password.isEmpty else {
            onErrorMessage?("Password cannot be empty")
            return
        }
        onLoadingStateChange?(true)
        do {
            _ = try await authService.login(email: email, password: password)
            onLoadingStateChange?(false)
            onLoginSuccess?()
        } catch {
            onLoadingStateChange?(false)
            onErrorMessage?(error.message)
        }
    }
}
