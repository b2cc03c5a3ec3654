public import Synchronization

/// The result of a gathered query, in a box: written where it arrives, and read by the query's task.
@usableFromInline
final class Gathered<Value: Sendable>: Sendable {
    @usableFromInline let value: Mutex<Value>

    @usableFromInline
    init(_ value: Value) { self.value = Mutex(value) }
}
