import PatternCore
import Synchronization

/// The values that a model keeps in a test.
final class Values: KeyValueStore {
    private let values = Mutex<[String: String]>([:])

    subscript(name: String) -> String? {
        get { values.withLock { $0[name] } }
        set { values.withLock { $0[name] = newValue } }
    }
}
