import PatternCore
import PatternScreens
import Roost

/// The view: passive. It tells the presenter what was pressed, and does as it is told, which on a server means to fill
/// in a page.
final class LoginViewController: ViewController, LoginView {
    static let path = Path("/patterns/mvp/login")

    private(set) var page = LoginPage()
    private let navigation: Navigation
    private let presenter: LoginPresenter

    init(_ navigation: Navigation, presenter: LoginPresenter) {
        self.navigation = navigation
        self.presenter = presenter
        presenter.view = self
    }

    /// The empty form is all that there is to show.
    func viewDidLoad() {}

    func loginButtonTapped(_ form: LoginForm) async {
        trace()
        page.email = form.email
        await presenter.didTapLogin(email: form.email, password: form.password)
    }

    func showLoading() {
        trace()
        page.isLoading = true
    }

    func hideLoading() {
        trace()
        page.isLoading = false
    }

    func showError(_ message: String) {
        trace()
        page.errorMessage = message
    }

    func navigateToHome() {
        trace()
        navigation.go(to: HomeViewController.path)
    }
}
