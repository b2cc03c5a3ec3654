/// An item's view as its presenter knows it.
protocol CountViewProtocol: AnyObject {
    func setTitle(_ title: String)
    func setMessage(_ message: String)
    func setError(_ message: String)
}

/// An item's presenter as its view knows it.
protocol CountPresenterProtocol: AnyObject {
    func loadData()
    func showNext()
    func showDetail()
}

/// The interactor as its presenter knows it.
protocol CountInteractorInputProtocol: AnyObject {
    func findItem(withIndex index: Int)
    func findNextItem(currentIndex: Int)
}

/// The receiver of the interactor's results: its presenter.
protocol CountInteractorOutputProtocol: AnyObject {
    func foundItem(_ item: CountItem)
    func foundNextItem(index: Int)
    func lastItemReached()
    func itemNotFound()
}

/// The router as an item's presenter knows it.
protocol CountRouterProtocol: AnyObject {
    func presentFirst()
    func pushNext(index: Int)
    func presentDetail()
}
