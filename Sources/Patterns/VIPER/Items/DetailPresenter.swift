import PatternCore

/// The presenter of the detail. On a phone it is handed the item that is in memory; here a request begins with nothing,
/// so it asks the interactor.
final class DetailPresenter: DetailEventHandler {
    weak var userInterface: (any DetailViewInterface)?
    private let wireframe: any DetailWireframeInterface
    private let interactor: any CountInteractorInput
    private let index: Int

    init(wireframe: any DetailWireframeInterface, interactor: any CountInteractorInput, index: Int) {
        self.wireframe = wireframe
        self.interactor = interactor
        self.index = index
    }

    func populateView() {
        trace()
        interactor.findItem(withIndex: index)
    }

    func dismiss() {
        trace()
        wireframe.dismissDetail()
    }
}

extension DetailPresenter: CountInteractorOutput {
    func foundItem(_ item: CountItemViewModel) {
        trace()
        userInterface?.setMessage(item.message)
    }

    func itemNotFound() {
        trace()
        wireframe.presentRoot()
    }

    // Nobody asks for the next item here.
    func foundNextItem(index: Int) {}
    func lastPageReached() {}
}
