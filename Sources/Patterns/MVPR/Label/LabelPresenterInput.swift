/// What the label's view can tell its presenter.
protocol LabelPresenterInput: AnyObject {
    func initialLoading()
    func goToDetail()
}
