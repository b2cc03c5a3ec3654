import PatternCore
import PatternScreens
import Roost

/// The wireframe of an item: it wires its parts together, and alone knows where one goes from there.
final class CountWireframe: CountWireframeInterface {
    static let first = Path("/patterns/viper/items")
    static let item = Path("/patterns/viper/items/{index}", Int.self)
    static let detail = Path("/patterns/viper/items/{index}/detail", Int.self)

    private let navigation: Navigation
    private let index: Int

    init(_ navigation: Navigation, index: Int) {
        self.navigation = navigation
        self.index = index
    }

    func createModule() -> CountViewController {
        let interactor = CountInteractor()
        let presenter = CountPresenter(wireframe: self, interactor: interactor, index: index)
        let view = CountViewController(navigation, eventHandler: presenter)
        interactor.output = presenter
        presenter.userInterface = view
        return view
    }

    func presentRoot() {
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
