import PatternCore
import PatternScreens
import Roost

/// The router of the detail.
final class DetailRouter: DetailRouterProtocol {
    private let navigation: Navigation
    private let index: Int

    private init(_ navigation: Navigation, index: Int) {
        self.navigation = navigation
        self.index = index
    }

    static func createModule(_ navigation: Navigation, index: Int) -> DetailViewController {
        let interactor = DetailInteractor()
        let router = DetailRouter(navigation, index: index)
        let presenter = DetailPresenter(interactor: interactor, router: router, index: index)
        let view = DetailViewController(presenter: presenter)
        interactor.presenter = presenter
        presenter.view = view
        return navigation.show(view)
    }

    func presentFirst() {
        trace()
        navigation.go(to: CountRouter.first)
    }

    func dismissDetail() {
        trace()
        navigation.go(to: CountRouter.item, index)
    }
}
