import Synchronization

/// A place for what one makes and others share. What is there is gone when nobody has it any more.
package final class SharedPlace: Sendable {
    private struct Kept {
        weak var value: (any AnyObject & Sendable)?
    }

    private let kept = Mutex(Kept())

    /// Creates an empty place.
    package init() {}

    /// What is there, or else what `make` returns.
    package func value<Value: AnyObject & Sendable>(_ make: () -> Value) -> Value {
        kept.withLock { kept in
            if let value = kept.value as? Value { return value }
            let value = make()
            kept.value = value
            return value
        }
    }

    /// Takes a value away, if it is the one that is there: who asks next makes another.
    package func remove(_ value: any AnyObject & Sendable) {
        let id = ObjectIdentifier(value)
        kept.withLock { kept in
            if let there = kept.value, ObjectIdentifier(there) == id { kept.value = nil }
        }
    }
}
