/// The detail's view as its presenter knows it.
protocol DetailViewProtocol: AnyObject {
    func setMessage(_ message: String)
}

/// The detail's presenter as its view knows it.
protocol DetailPresenterProtocol: AnyObject {
    func populateView()
    func dismiss()
}

/// The interactor as its presenter knows it.
protocol DetailInteractorInputProtocol: AnyObject {
    func findItem(withIndex index: Int)
}

/// The receiver of the interactor's results: its presenter.
protocol DetailInteractorOutputProtocol: AnyObject {
    func foundItem(_ item: CountItem)
    func itemNotFound()
}

/// The router as the detail's presenter knows it.
protocol DetailRouterProtocol: AnyObject {
    func presentFirst()
    func dismissDetail()
}
