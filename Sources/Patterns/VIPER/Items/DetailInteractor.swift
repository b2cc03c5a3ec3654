import PatternCore

/// The interactor of the detail: it finds the item. On a phone the detail is handed the one that is in memory; here a
/// request begins with nothing.
final class DetailInteractor: DetailInteractorInputProtocol {
    weak var presenter: (any DetailInteractorOutputProtocol)?
    private let dataManager = CountDataManager()

    func findItem(withIndex index: Int) {
        trace()
        guard let item = dataManager.findItem(withIndex: index) else {
            presenter?.itemNotFound()
            return
        }
        presenter?.foundItem(item)
    }
}
