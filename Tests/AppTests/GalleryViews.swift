import PatternCore
import PatternScreens
import Patterns
import Roost

/// Samples of the gallery's views, which together show all of their templates.
enum GalleryViews {
    static var samples: [View] {
        [
            View("patterns/index", ComparisonPage()),
            View("patterns/beside", BesidePage(.mvc, .viper)),
            View("patterns/screens/login", framed(LoginPage())),
            View("patterns/screens/login", framed(failedLogin)),
            View("patterns/screens/home", framed(HomePage(welcome: "Welcome, ann@example.com"))),
            View("patterns/screens/counter", framed(CounterPage())),
            View("patterns/screens/card", framed(CardPage(title: "Label", buttons: [.next]))),
            View("patterns/screens/card", framed(lastItem)),
        ] + Pattern.allCases.flatMap { [chapter($0, []), chapter($0, calls)] }
    }

    private static func chapter(_ pattern: Pattern, _ calls: [String]) -> View {
        View("patterns/chapter", ChapterPage(pattern, calls: calls))
    }

    private static let calls = ["LoginViewController.showError(_:)"]

    private static func framed<Page: Screen>(_ page: Page) -> FramedScreen<Page> {
        FramedScreen(pattern: .mvvmC, screen: page)
    }

    private static var failedLogin: LoginPage {
        var page = LoginPage()
        page.errorMessage = "Invalid email or password"
        page.isLoading = true
        return page
    }

    private static var lastItem: CardPage {
        var page = CardPage(title: "Item 3", buttons: [.detail, .next])
        page.errorMessage = "Last page reached"
        page.coordinators = "AppCoordinator › UserCoordinator"
        return page
    }
}
