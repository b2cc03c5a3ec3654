/// What the presenter can tell the view of an item.
protocol CountViewProtocol: AnyObject {
    func setTitle(_ title: String)
    func setMessage(_ message: String)
    func setError(_ message: String)
}

/// What the view of an item can tell its presenter.
protocol CountPresenterProtocol: AnyObject {
    func loadData()
    func showNext()
    func showDetail()
}

/// What the presenter can ask the interactor for.
protocol CountInteractorInputProtocol: AnyObject {
    func findItem(withIndex index: Int)
    func findNextItem(currentIndex: Int)
}

/// What the interactor tells of the outcome.
protocol CountInteractorOutputProtocol: AnyObject {
    func foundItem(_ item: CountItem)
    func foundNextItem(index: Int)
    func lastItemReached()
    func itemNotFound()
}

/// Where the presenter of an item can ask to go.
protocol CountRouterProtocol: AnyObject {
    func presentFirst()
    func pushNext(index: Int)
    func presentDetail()
}
