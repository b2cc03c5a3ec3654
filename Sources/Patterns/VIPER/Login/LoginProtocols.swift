import PatternCore

/// What the presenter can tell the view.
protocol LoginViewProtocol: AnyObject {
    func showLoading(_ isLoading: Bool)
    func showError(_ message: String)
    func clearError()
}

/// What the view can tell the presenter.
protocol LoginPresenterProtocol: AnyObject {
    func viewDidLoad()
    func didTapLogin(email: String, password: String) async
}

/// What the presenter can ask the interactor to do.
protocol LoginInteractorInputProtocol: AnyObject {
    func login(email: String, password: String) async
}

/// What the interactor tells of the outcome.
protocol LoginInteractorOutputProtocol: AnyObject {
    func loginSucceeded(user: User)
    func loginFailed(error: AuthError)
}

/// Where the presenter can ask to go.
protocol LoginRouterProtocol: AnyObject {
    func navigateToHome()
}
