import PatternCore

/// The presenter of an item: what is pressed goes to the interactor or to the wireframe.
final class CountPresenter: CountEventHandler {
    weak var userInterface: (any CountViewInterface)?
    private let wireframe: any CountWireframeInterface
    private let interactor: any CountInteractorInput
    private let index: Int

    init(wireframe: any CountWireframeInterface, interactor: any CountInteractorInput, index: Int) {
        self.wireframe = wireframe
        self.interactor = interactor
        self.index = index
    }

    func loadData() {
        trace()
        interactor.findItem(withIndex: index)
    }

    func showNext() {
        trace()
        interactor.findNextItem(currentIndex: index)
    }

    func showDetail() {
        trace()
        wireframe.presentDetail()
    }
}

extension CountPresenter: CountInteractorOutput {
    func foundItem(_ item: CountItemViewModel) {
        trace()
        userInterface?.setTitle(item.title)
        userInterface?.setMessage(item.message)
    }

    func foundNextItem(index: Int) {
        trace()
        wireframe.pushNext(index: index)
    }

    func lastPageReached() {
        trace()
        interactor.findItem(withIndex: index)
        userInterface?.setError("Last page reached")
    }

    func itemNotFound() {
        trace()
        wireframe.presentRoot()
    }
}
