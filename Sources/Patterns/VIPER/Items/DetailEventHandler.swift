/// What the view of the detail can tell its presenter.
protocol DetailEventHandler: AnyObject {
    func populateView()
    func dismiss()
}
