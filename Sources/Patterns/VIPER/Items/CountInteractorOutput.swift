/// What the interactor tells of the outcome.
protocol CountInteractorOutput: AnyObject {
    func foundItem(_ item: CountItemViewModel)
    func foundNextItem(index: Int)
    func lastPageReached()
    func itemNotFound()
}
