/// The home screen's view as its presenter knows it: the orders that it takes.
protocol HomeView: AnyObject {
    func showWelcome(_ text: String)
    func navigateToLogin()
}
