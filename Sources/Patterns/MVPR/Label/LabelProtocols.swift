/// The label's presenter as its view knows it.
protocol LabelPresenterInput: AnyObject {
    func initialLoading()
    func goToDetail()
}

/// The label's view as its presenter knows it.
protocol LabelPresenterOutput: AnyObject {
    func setupLabel(text: String)
}

/// The detail's presenter as its view knows it.
protocol DetailPresenterInput: AnyObject {
    func initialLoading()
    func backAction()
}

/// The detail's view as its presenter knows it.
protocol DetailPresenterOutput: AnyObject {
    func showDetail(withText text: String)
}

/// The router as presenters know it: they name a screen, and do not know how one gets there.
protocol LabelRouting: AnyObject {
    func goToDetail()
    func dismissDetail()
}
