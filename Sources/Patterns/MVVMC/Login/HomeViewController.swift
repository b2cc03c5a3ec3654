import PatternScreens

/// The view of the home screen.
final class HomeViewController: ViewController {
    let page: HomePage

    init(viewModel: HomeViewModel) {
        page = HomePage(welcome: viewModel.welcomeText)
    }
}
