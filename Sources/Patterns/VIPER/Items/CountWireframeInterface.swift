/// Where the presenter of an item can ask to go.
protocol CountWireframeInterface: AnyObject {
    func presentRoot()
    func pushNext(index: Int)
    func presentDetail()
}
