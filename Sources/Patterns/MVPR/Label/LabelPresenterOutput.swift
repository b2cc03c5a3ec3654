/// What the label's presenter can tell its view.
protocol LabelPresenterOutput: AnyObject {
    func setupLabel(text: String)
}
