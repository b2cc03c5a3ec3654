import PatternCore
import PatternScreens
import Roost

/// The router of an item: it wires its parts together, and alone knows where one goes from there.
final class CountRouter: CountRouterProtocol {
    static let first = Path("/patterns/viper/items")
    static let item = Path("/patterns/viper/items/{index}", Int.self)
    static let detail = Path("/patterns/viper/items/{index}/detail", Int.self)

    private let navigation: Navigation
    private let index: Int

    private init(_ navigation: Navigation, index: Int) {
        self.navigation = navigation
        self.index = index
    }

    static func createModule(_ navigation: Navigation, index: Int) -> CountViewController {
        let interactor = CountInteractor()
        let router = CountRouter(navigation, index: index)
        let presenter = CountPresenter(interactor: interactor, router: router, index: index)
        let view = CountViewController(presenter: presenter)
        interactor.presenter = presenter
        presenter.view = view
        return navigation.show(view)
    }

    func presentFirst() {
        trace()
        navigation.go(to: Self.first)
    }

    func pushNext(index: Int) {
        trace()
        navigation.go(to: Self.item, index)
    }

    func presentDetail() {
        trace()
        navigation.go(to: Self.detail, index)
    }
}
