import PatternCore
import PatternScreens

/// The view: it binds a page to its view model, and hands on what was typed. It never leads anywhere.
final class LoginViewController: ViewController {
    private(set) var page = LoginPage()
    private let viewModel: LoginViewModel

    init(viewModel: LoginViewModel) {
        self.viewModel = viewModel
        bindViewModel()
    }

    /// The empty form is all that there is to show.
    func viewDidLoad() {}

    func loginButtonTapped(_ form: LoginForm) async {
        trace()
        page.email = form.email
        viewModel.email = form.email
        viewModel.password = form.password
        await viewModel.loginTapped()
    }

    private func bindViewModel() {
        viewModel.onLoadingStateChange = { [weak self] isLoading in self?.showLoading(isLoading) }
        viewModel.onErrorMessage = { [weak self] message in self?.showError(message) }
    }

    private func showLoading(_ isLoading: Bool) {
        trace()
        page.isLoading = isLoading
    }

    private func showError(_ message: String) {
        trace()
        page.errorMessage = message
    }
}
