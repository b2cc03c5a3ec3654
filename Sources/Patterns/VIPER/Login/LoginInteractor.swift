import PatternCore

/// The interactor: the use case of signing in, and nothing else.
final class LoginInteractor: LoginInteractorInputProtocol {
    weak var presenter: (any LoginInteractorOutputProtocol)?
    private let authService: any AuthServicing

    init(authService: any AuthServicing) {
        self.authService = authService
    }

    func login(email: String, password: String) async {
        trace()
        do {
            let user = try await authService.login(email: email, password: password)
            presenter?.loginSucceeded(user: user)
        } catch {
            presenter?.loginFailed(error: error)
        }
    }
}
