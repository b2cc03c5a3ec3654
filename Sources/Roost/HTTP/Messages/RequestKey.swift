/// A type that names a value on a ``Request``: an empty `enum`, declared where the value is set.
public protocol RequestKey {
    /// The type of the value.
    associatedtype Value: Sendable
}
