/// The typed values of a request, by their keys: up to four in place, further ones in an array.
///
/// An object is kept as it is, another value in an object of its own. Copies of a request share them.
struct RequestValues: Sendable {
    private typealias Entry = (key: ObjectIdentifier, value: any AnyObject & Sendable)

    private var first = InlineArray<4, Entry?>(repeating: nil)
    private var others: [Entry]?

    @inline(__always)
    func value<Key: RequestKey>(of key: Key.Type) -> Key.Value? {
        let key = ObjectIdentifier(key)
        for place in first.indices {
            if let entry = first[place], entry.key == key { return Self.value(in: entry.value, of: Key.self) }
        }
        guard let others else { return nil }
        return others.first { $0.key == key }.map { Self.value(in: $0.value, of: Key.self) }
    }

    @inline(__always)
    mutating func set<Key: RequestKey>(_ value: Key.Value?, of key: Key.Type) {
        set(value.map(Self.object), ObjectIdentifier(key))
    }

    private mutating func set(_ value: (any AnyObject & Sendable)?, _ key: ObjectIdentifier) {
        var free: Int?
        for place in first.indices {
            if first[place]?.key == key { return first[place] = value.map { (key, $0) } }
            if first[place] == nil, free == nil { free = place }
        }
        others?.removeAll { $0.key == key }
        guard let value else { return }
        if let free { first[free] = (key, value) } else { others = (others ?? []) + [(key, value)] }
    }

    @inline(__always)
    private static func object<Value: Sendable>(_ value: Value) -> any AnyObject & Sendable {
        if Value.self is AnyClass { return unsafeBitCast(value, to: (any AnyObject & Sendable).self) }
        return RequestValue(value)
    }

    @inline(__always)
    private static func value<Key: RequestKey>(in object: any AnyObject & Sendable, of key: Key.Type) -> Key.Value {
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
