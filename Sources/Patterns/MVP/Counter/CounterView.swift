/// What a presenter can tell the counter's view to do.
protocol CounterView: AnyObject {
    func render(_ value: String)
}
