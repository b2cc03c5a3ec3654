import PatternCore
import PatternScreens

/// The view: thin. It tells its presenter what was pressed, and shows what it is told to.
final class LoginViewController: LoginViewProtocol {
    private let navigation: Navigation
    private let presenter: any LoginPresenterProtocol
    private var page = LoginPage()

    init(_ navigation: Navigation, presenter: any LoginPresenterProtocol) {
        self.navigation = navigation
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
        navigation.show("login", page)
    }

    func clearError() {
        trace()
        page.errorMessage = nil
        navigation.show("login", page)
    }
}
