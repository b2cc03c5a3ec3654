import PatternCore
import PatternScreens

/// The home screen, without roles of its own: it shows one line and decides nothing.
final class HomeViewController {
    private let navigation: Navigation
    private let user: User

    init(_ navigation: Navigation, user: User) {
        self.navigation = navigation
        self.user = user
    }

    func viewDidLoad() {
        navigation.show("home", HomePage(welcome: "Welcome, \(user.email)"))
    }
}
