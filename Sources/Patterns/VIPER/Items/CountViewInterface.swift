/// What a presenter can tell the view of an item.
protocol CountViewInterface: AnyObject {
    func setTitle(_ title: String)
    func setMessage(_ message: String)
    func setError(_ message: String)
}
