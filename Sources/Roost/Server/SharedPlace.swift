import Synchronization

/// A place for what one makes and others share. What is there is gone when nobody has it any more.
package final class SharedPlace: Sendable {
    private struct Kept {
        weak var value: (any AnyObject & Sendable)?
        var rest: (any Sendable)?
    }

    private let kept = Mutex(Kept())

    /// Creates an empty place.
    package init() {}

    /// Returns the value that is there, or else makes one. `make` gets what the value before it has left, and returns
    /// the new value with what that leaves.
    package func value<Value: AnyObject & Sendable, Rest: Sendable>(
        _ make: (Rest?) -> (Value, leaves: Rest)
    ) -> Value {
        kept.withLock { kept in
            if let value = kept.value as? Value { return value }
            let (value, rest) = make(kept.rest as? Rest)
            kept = Kept(value: value, rest: rest)
            return value
        }
    }

    /// Takes a value away, if it is the one that is there: who asks next makes another, as if nothing had been there.
    package func remove(_ value: any AnyObject & Sendable) {
        let id = ObjectIdentifier(value)
        kept.withLock { kept in
            if let there = kept.value, ObjectIdentifier(there) == id { kept = Kept() }
        }
    }
}
