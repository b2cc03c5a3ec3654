/// The model: it only keeps a number, and counts.
final class CounterModel {
    private(set) var value: Int

    init(value: Int) {
        self.value = value
    }

    func increment() {
        value &+= 1
    }
}
