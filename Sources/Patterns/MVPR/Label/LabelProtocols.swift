/// What the label's view can tell its presenter.
protocol LabelPresenterInput: AnyObject {
    func initialLoading()
    func goToDetail()
}

/// What the label's presenter can tell its view.
protocol LabelPresenterOutput: AnyObject {
    func setupLabel(text: String)
}

/// What the detail's view can tell its presenter.
protocol DetailPresenterInput: AnyObject {
    func initialLoading()
    func backAction()
}

/// What the detail's presenter can tell its view.
protocol DetailPresenterOutput: AnyObject {
    func showDetail(withText text: String)
}

/// Where presenters can ask to go. They do not know how one gets there.
protocol LabelRouting: AnyObject {
    func goToDetail()
    func dismissDetail()
}
