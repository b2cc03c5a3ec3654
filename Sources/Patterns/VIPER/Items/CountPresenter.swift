import PatternCore

/// The presenter of an item: what is pressed goes to the interactor or to the router, and what is found becomes texts.
final class CountPresenter: CountPresenterProtocol {
    weak var view: (any CountViewProtocol)?
    private let interactor: any CountInteractorInputProtocol
    private let router: any CountRouterProtocol
    private let index: Int

    init(interactor: any CountInteractorInputProtocol, router: any CountRouterProtocol, index: Int) {
        self.interactor = interactor
        self.router = router
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
        router.presentDetail()
    }
}

extension CountPresenter: CountInteractorOutputProtocol {
    func foundItem(_ item: CountItem) {
        trace()
        view?.setTitle("Item \(item.index + 1)")
        view?.setMessage(item.count)
    }

    func foundNextItem(index: Int) {
        trace()
        router.pushNext(index: index)
    }

    func lastItemReached() {
        trace()
        view?.setError("Last page reached")
        interactor.findItem(withIndex: index)
    }

    func itemNotFound() {
        trace()
        router.presentFirst()
    }
}
