/// The typed values of a request, by their keys: up to five in place, further ones in an array.
///
/// An object is kept as it is, another value in an object of its own. Copies of a request share them.
struct RequestValues: Sendable {
    private typealias Object = any AnyObject & Sendable

    // Beside each other, so that looking for a key copies no value.
    private var keys = InlineArray<5, ObjectIdentifier?>(repeating: nil)
    private var values = InlineArray<5, Object?>(repeating: nil)
    private var others: [(key: ObjectIdentifier, value: Object)]?

    @inline(__always)
    func value<Key: RequestKey>(of key: Key.Type) -> Key.Value? {
        let key = ObjectIdentifier(key)
        for place in keys.indices where keys[place] == key {
            return values[place].map { Self.value(in: $0, of: Key.self) }
        }
        guard let others else { return nil }
        return others.first { $0.key == key }.map { Self.value(in: $0.value, of: Key.self) }
    }

    @inline(__always)
    mutating func set<Key: RequestKey>(_ value: Key.Value?, of key: Key.Type) {
        set(value.map(Self.object), ObjectIdentifier(key))
    }

    private mutating func set(_ value: Object?, _ key: ObjectIdentifier) {
        var free: Int?
        for place in keys.indices {
            if keys[place] == key {
                if value == nil { keys[place] = nil }
                return values[place] = value
            }
            if keys[place] == nil, free == nil { free = place }
        }
        others?.removeAll { $0.key == key }
        guard let value else { return }
        if let free { (keys[free], values[free]) = (key, value) } else { others = (others ?? []) + [(key, value)] }
    }

    @inline(__always)
    private static func object<Value: Sendable>(_ value: Value) -> Object {
        if Value.self is AnyClass { return unsafeBitCast(value, to: Object.self) }
        return RequestValue(value)
    }

    @inline(__always)
    private static func value<Key: RequestKey>(in object: Object, of key: Key.Type) -> Key.Value {
        if Key.Value.self is AnyClass { return unsafeBitCast(object, to: Key.Value.self) }
        return unsafeDowncast(object, to: RequestValue<Key.Value>.self).value
    }
}

/// A value that is no object, as one.
private final class RequestValue<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A type that names a value on a ``Request``: an empty `enum`, declared where the value is set.
public protocol RequestKey {
    /// The type of the value.
    associatedtype Value: Sendable
}
