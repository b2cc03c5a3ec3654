import PatternCore
import PatternScreens
import Roost

/// The router: it puts the screens together, and alone knows where they are.
final class LabelRouter: LabelRouting {
    static let label = Path("/patterns/mvp-r/label")
    static let dismissed = Path("/patterns/mvp-r/label/dismissed")
    static let detail = Path("/patterns/mvp-r/label/detail")

    private let navigation: Navigation

    init(_ navigation: Navigation) {
        self.navigation = navigation
    }

    func showLabel(isDismissed: Bool) -> LabelViewController {
        let presenter = LabelPresenter(router: self, isDismissed: isDismissed)
        let view = LabelViewController(presenter: presenter)
        presenter.userInterface = view
        return navigation.show(view)
    }

    func showDetail() -> DetailViewController {
        let presenter = DetailPresenter(router: self, repository: DetailRepository())
        let view = DetailViewController(presenter: presenter)
        presenter.userInterface = view
        return navigation.show(view)
    }

    func goToDetail() {
        trace()
        navigation.go(to: Self.detail)
    }

    func dismissDetail() {
        trace()
        navigation.go(to: Self.dismissed)
    }
}
