/// What the presenter can tell the view of the detail.
protocol DetailViewProtocol: AnyObject {
    func setMessage(_ message: String)
}

/// What the view of the detail can tell its presenter.
protocol DetailPresenterProtocol: AnyObject {
    func populateView()
    func dismiss()
}

/// What the presenter can ask the interactor for.
protocol DetailInteractorInputProtocol: AnyObject {
    func findItem(withIndex index: Int)
}

/// What the interactor tells of the outcome.
protocol DetailInteractorOutputProtocol: AnyObject {
    func foundItem(_ item: CountItem)
    func itemNotFound()
}

/// Where the presenter of the detail can ask to go.
protocol DetailRouterProtocol: AnyObject {
    func presentFirst()
    func dismissDetail()
}
