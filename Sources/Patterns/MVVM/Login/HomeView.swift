import PatternScreens
import Roost

/// The view of the home screen.
final class HomeView: ViewController {
    static let path = Path("/patterns/mvvm/home")

    private let navigation: Navigation
    private let viewModel: HomeViewModel

    init(_ navigation: Navigation, _ viewModel: HomeViewModel) {
        self.navigation = navigation
        self.viewModel = viewModel
    }

    var page: HomePage { HomePage(welcome: viewModel.welcomeText ?? "") }

    /// Goes to the login when there is nobody to welcome.
    func update() {
        if viewModel.welcomeText == nil { navigation.go(to: LoginView.path) }
    }
}
