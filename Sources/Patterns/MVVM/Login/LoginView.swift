import PatternCore
import PatternScreens
import Roost

/// The view: it shows the state of its view model, and follows when that changes. It also decides where to go next,
/// since MVVM has no role for that.
struct LoginView {
    static let path = Path("/patterns/mvvm/login")
    static let live = Path("/patterns/mvvm/login/live")
    static let one = Path("/patterns/mvvm/login/live/{id}", String.self)
    static let entrance = Path("/patterns/mvvm/login/live/{id}/home", String.self)

    private let viewModel: LoginViewModel

    init(_ viewModel: LoginViewModel) {
        self.viewModel = viewModel
    }

    func loginButtonTapped(_ form: LoginForm) async {
        trace()
        await viewModel.login(email: form.email, password: form.password)
    }

    /// Shows the state as it is now.
    func update(_ navigation: Navigation) {
        let state = viewModel.state.value
        if let user = state.user {
            navigation.visitor.user = user
            return navigation.go(to: HomeView.path)
        }
        var page = LoginPage()
        page.email = state.email
        page.isLoading = state.isLoading
        page.errorMessage = state.errorMessage
        page.liveURL = Self.live.url()
        navigation.show("login", page)
    }

    /// Shows the state as it is now, and each one that follows, until the page is closed.
    func follow(_ events: EventWriter) async throws {
        for await state in viewModel.state.values() {
            try await events.send(LoginUpdate(state).serverSentEvent())
        }
    }
}
