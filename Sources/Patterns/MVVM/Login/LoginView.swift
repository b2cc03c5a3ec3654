import PatternCore
import PatternScreens
import Roost

/// The view: it shows the state of its view model. It also decides where to go next, since MVVM has no role for that.
final class LoginView: ViewController {
    static let path = Path("/patterns/mvvm/login")

    private let navigation: Navigation
    private let viewModel: LoginViewModel

    init(_ navigation: Navigation, _ viewModel: LoginViewModel) {
        self.navigation = navigation
        self.viewModel = viewModel
    }

    var page: LoginPage { LoginPage(viewModel.state.value) }

    /// The page is opened: an error of an earlier attempt is over.
    func viewDidAppear() { viewModel.errorMessage = nil }

    func loginButtonTapped(_ form: LoginForm) async {
        trace()
        viewModel.email = form.email
        viewModel.password = form.password
        await viewModel.login()
        update()
    }

    /// Goes home once the state says that somebody has logged in.
    func update() {
        if viewModel.state.value.isLoggedIn { navigation.go(to: HomeView.path) }
    }
}
