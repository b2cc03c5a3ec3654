import PatternCore

/// The presenter of the detail.
final class DetailPresenter: DetailPresenterProtocol {
    weak var view: (any DetailViewProtocol)?
    private let interactor: any DetailInteractorInputProtocol
    private let router: any DetailRouterProtocol
    private let index: Int

    init(interactor: any DetailInteractorInputProtocol, router: any DetailRouterProtocol, index: Int) {
        self.interactor = interactor
        self.router = router
        self.index = index
    }

    func populateView() {
        trace()
        interactor.findItem(withIndex: index)
    }

    func dismiss() {
        trace()
        router.dismissDetail()
    }
}

extension DetailPresenter: DetailInteractorOutputProtocol {
    func foundItem(_ item: CountItem) {
        trace()
        view?.setMessage(item.count)
    }

    func itemNotFound() {
        trace()
        router.presentFirst()
    }
}
