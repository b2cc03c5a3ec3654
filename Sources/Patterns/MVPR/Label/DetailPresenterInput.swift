/// What the detail's view can tell its presenter.
protocol DetailPresenterInput: AnyObject {
    func initialLoading()
    func backAction()
}
