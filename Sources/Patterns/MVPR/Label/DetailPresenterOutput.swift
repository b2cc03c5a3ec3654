/// What the detail's presenter can tell its view.
protocol DetailPresenterOutput: AnyObject {
    func showDetail(withText text: String)
}
