public import Synchronization

/// What a gathered query finds: written where its result arrives, and read by its task.
@usableFromInline
final class Gathered<Value: Sendable>: Sendable {
    @usableFromInline let value: Mutex<Value>

    @usableFromInline
    init(_ value: Value) { self.value = Mutex(value) }
}
