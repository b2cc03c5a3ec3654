import PatternCore

/// The model: a number that it counts up, and remembers.
final class CounterModel {
    private let store: any KeyValueStore

    init(store: any KeyValueStore) {
        self.store = store
    }

    var value: Int { store["counter"].flatMap { Int($0) } ?? 0 }

    func increment() {
        store["counter"] = "\(value &+ 1)"
    }
}
