import PatternCore

/// The presenter: it stands between the view, the interactor and the router, and knows each by a protocol only.
final class LoginPresenter: LoginPresenterProtocol {
    weak var view: (any LoginViewProtocol)?
    private let interactor: any LoginInteractorInputProtocol
    private let router: any LoginRouterProtocol

    init(interactor: any LoginInteractorInputProtocol, router: any LoginRouterProtocol) {
        self.interactor = interactor
        self.router = router
    }

    func viewDidLoad() {
        trace()
        view?.clearError()
    }

    func didTapLogin(email: String, password: String) async {
        trace()
        view?.clearError()
        guard !email.isEmpty else {
            view?.showError("Email cannot be empty")
            return
        }
        guard !password.isEmpty else {
            view?.showError("Password cannot be empty")
            return
        }
        view?.showLoading(true)
        await interactor.login(email: email, password: password)
    }
}

extension LoginPresenter: LoginInteractorOutputProtocol {
    func loginSucceeded(user: User) {
        trace()
        view?.showLoading(false)
        router.navigateToHome()
    }

    func loginFailed(error: AuthError) {
        trace()
        view?.showLoading(false)
        view?.showError(error.message)
    }
}
