/// What a presenter can tell the view of the detail.
protocol DetailViewInterface: AnyObject {
    func setMessage(_ message: String)
}
