/// What a presenter can tell the login's view to do; all that it knows of it.
protocol LoginView: AnyObject {
    func showLoading()
    func hideLoading()
    func showError(_ message: String)
    func navigateToHome()
}
