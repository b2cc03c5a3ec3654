import PatternCore
import PatternScreens

/// The wireframe of the detail.
final class DetailWireframe: DetailWireframeInterface {
    private let navigation: Navigation
    private let index: Int

    init(_ navigation: Navigation, index: Int) {
        self.navigation = navigation
        self.index = index
    }

    func createModule() -> DetailViewController {
        let interactor = CountInteractor()
        let presenter = DetailPresenter(wireframe: self, interactor: interactor, index: index)
        let view = DetailViewController(navigation, eventHandler: presenter)
        interactor.output = presenter
        presenter.userInterface = view
        return view
    }

    func presentRoot() {
        trace()
        navigation.go(to: CountWireframe.first)
    }

    func dismissDetail() {
        trace()
        navigation.go(to: CountWireframe.item, index)
    }
}
