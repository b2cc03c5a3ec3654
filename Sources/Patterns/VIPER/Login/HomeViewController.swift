import PatternCore
import PatternScreens

/// The home screen, without roles of its own: it shows one line and decides nothing.
final class HomeViewController: ViewController {
    let page: HomePage

    init(user: User) {
        page = HomePage(welcome: "Welcome, \(user.email)")
    }
}
