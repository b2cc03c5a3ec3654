import PatternCore

/// The view as its presenter knows it.
protocol LoginViewProtocol: AnyObject {
    func showLoading(_ isLoading: Bool)
    func showError(_ message: String)
    func clearError()
}

/// The presenter as its view knows it.
protocol LoginPresenterProtocol: AnyObject {
    func viewDidLoad()
    func didTapLogin(email: String, password: String) async
}

/// The interactor as its presenter knows it.
protocol LoginInteractorInputProtocol: AnyObject {
    func login(email: String, password: String) async
}

/// The receiver of the interactor's results: its presenter.
protocol LoginInteractorOutputProtocol: AnyObject {
    func loginSucceeded(user: User)
    func loginFailed(error: AuthError)
}

/// The router as its presenter knows it: the screens that lead on from here.
protocol LoginRouterProtocol: AnyObject {
    func navigateToHome()
}
