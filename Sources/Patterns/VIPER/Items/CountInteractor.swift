import PatternCore

/// The interactor: it finds items, and knows when there are no more.
final class CountInteractor: CountInteractorInputProtocol {
    weak var presenter: (any CountInteractorOutputProtocol)?
    private let dataManager = CountDataManager()

    func findItem(withIndex index: Int) {
        trace()
        guard let item = dataManager.findItem(withIndex: index) else {
            presenter?.itemNotFound()
            return
        }
        presenter?.foundItem(item)
    }

    func findNextItem(currentIndex: Int) {
        trace()
        guard let next = dataManager.findItem(withIndex: currentIndex &+ 1) else {
            presenter?.lastItemReached()
            return
        }
        presenter?.foundNextItem(index: next.index)
    }
}
