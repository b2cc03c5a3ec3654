import PatternCore

/// The presenter: all that is decided on the login is decided here.
final class LoginPresenter {
    weak var view: (any LoginView)?
    private let authService: any AuthServicing

    init(authService: any AuthServicing) {
        self.authService = authService
    }

    func didTapLogin(email: String, password: String) async {
        trace()
        guard !email.isEmpty else {
            view?.showError("Email cannot be empty")
            return
        }
        guard !password.isEmpty else {
            view?.showError("Password cannot be empty")
            return
        }
        view?.showLoading()
        do {
            _ = try await authService.login(email: email, password: password)
            view?.hideLoading()
            view?.navigateToHome()
        } catch {
            view?.hideLoading()
            view?.showError(error.message)
        }
    }
}
