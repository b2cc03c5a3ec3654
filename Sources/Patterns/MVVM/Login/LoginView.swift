import PatternCore
import PatternScreens
import Roost

/// The view: it shows the state of its view model. It also decides where to go next, since MVVM has no role for that.
final class LoginView: ViewController {
    static let path = Path("/patterns/mvvm/login")
    static let live = Path("/patterns/mvvm/login/live")
    static let one = Path("/patterns/mvvm/login/live/{id}", String.self)
    static let entrance = Path("/patterns/mvvm/login/live/{id}/home", String.self)

    private let navigation: Navigation
    private let viewModel: LoginViewModel

    init(_ navigation: Navigation, _ viewModel: LoginViewModel) {
        self.navigation = navigation
        self.viewModel = viewModel
    }

    /// The state and nothing else, as the `body` of a SwiftUI view is.
    var page: LoginPage {
        let state = viewModel.state.value
        var page = LoginPage()
        page.email = state.email
        page.isLoading = state.isLoading
        page.errorMessage = state.errorMessage
        page.liveURL = Self.live.url()
        return page
    }

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
