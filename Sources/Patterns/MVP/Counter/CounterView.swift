/// The counter's view as its presenter knows it: the orders that it takes.
protocol CounterView: AnyObject {
    func render(_ value: String)
}
