/// What the view of an item can tell its presenter.
protocol CountEventHandler: AnyObject {
    func loadData()
    func showNext()
    func showDetail()
}
