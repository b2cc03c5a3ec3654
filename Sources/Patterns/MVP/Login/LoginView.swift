/// The login's view as its presenter knows it: the orders that it takes.
protocol LoginView: AnyObject {
    func showLoading()
    func hideLoading()
    func showError(_ message: String)
    func navigateToHome()
}
