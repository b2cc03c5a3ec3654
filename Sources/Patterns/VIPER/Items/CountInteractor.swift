import PatternCore

/// The interactor: it finds items, and knows when there are no more.
final class CountInteractor: CountInteractorInput {
    weak var output: (any CountInteractorOutput)?
    private let dataManager = CountDataManager()

    func findItem(withIndex index: Int) {
        trace()
        guard let item = dataManager.findItem(withIndex: index) else {
            output?.itemNotFound()
            return
        }
        output?.foundItem(CountItemViewModel(item: item, index: index))
    }

    func findNextItem(currentIndex: Int) {
        trace()
        let next = currentIndex &+ 1
        guard dataManager.findItem(withIndex: next) != nil else {
            output?.lastPageReached()
            return
        }
        output?.foundNextItem(index: next)
    }
}
