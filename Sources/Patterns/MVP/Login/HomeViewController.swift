import PatternCore
import PatternScreens
import Roost

/// The view of the home screen.
final class HomeViewController: ViewController, HomeView {
    static let path = Path("/patterns/mvp/home")

    private(set) var page = HomePage()
    private let navigation: Navigation
    private let presenter: HomePresenter

    init(_ navigation: Navigation, presenter: HomePresenter) {
        self.navigation = navigation
        self.presenter = presenter
        presenter.view = self
    }

    func viewDidLoad() {
        presenter.viewDidLoad()
    }

    func showWelcome(_ text: String) {
        trace()
        page.welcome = text
    }

    func navigateToLogin() {
        trace()
        navigation.go(to: LoginViewController.path)
    }
}
