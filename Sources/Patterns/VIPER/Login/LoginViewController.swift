import PatternCore
import PatternScreens

/// The view: thin. It tells its presenter what was pressed, and shows what it is told to.
final class LoginViewController: ViewController, LoginViewProtocol {
    private(set) var page = LoginPage()
    private let presenter: any LoginPresenterProtocol

    init(presenter: any LoginPresenterProtocol) {
        self.presenter = presenter
    }

    func viewDidLoad() {
        presenter.viewDidLoad()
    }

    func loginTapped(_ form: LoginForm) async {
        trace()
        page.email = form.email
        await presenter.didTapLogin(email: form.email, password: form.password)
    }

    func showLoading(_ isLoading: Bool) {
        trace()
        page.isLoading = isLoading
    }

    func showError(_ message: String) {
        trace()
        page.errorMessage = message
    }

    func clearError() {
        trace()
        page.errorMessage = nil
    }
}
