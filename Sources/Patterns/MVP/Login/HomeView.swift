/// What a presenter can tell the home screen's view to do.
protocol HomeView: AnyObject {
    func showWelcome(_ text: String)
    func navigateToLogin()
}
