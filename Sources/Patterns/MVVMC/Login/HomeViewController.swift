import PatternScreens

/// The view of the home screen.
final class HomeViewController {
    private let navigation: Navigation
    private let viewModel: HomeViewModel

    init(_ navigation: Navigation, viewModel: HomeViewModel) {
        self.navigation = navigation
        self.viewModel = viewModel
    }

    func viewDidLoad() {
        navigation.show("home", HomePage(welcome: viewModel.welcomeText))
    }
}
