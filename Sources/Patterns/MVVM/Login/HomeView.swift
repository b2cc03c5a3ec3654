import PatternScreens
import Roost

/// The view of the home screen.
struct HomeView {
    static let path = Path("/patterns/mvvm/home")

    private let viewModel: HomeViewModel

    init(_ viewModel: HomeViewModel) {
        self.viewModel = viewModel
    }

    func update(_ navigation: Navigation) {
        guard let welcome = viewModel.welcomeText else { return navigation.go(to: LoginView.path) }
        navigation.show("home", HomePage(welcome: welcome))
    }
}
