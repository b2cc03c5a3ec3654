/// Where the presenter of the detail can ask to go.
protocol DetailWireframeInterface: AnyObject {
    func presentRoot()
    func dismissDetail()
}
