/// One of a request's typed values, and those that were set before it. Values never change, so copies of a request
/// share them; a request has a handful at most.
final class RequestValue<Key: RequestKey>: RequestValues {
    let value: Key.Value
    let earlier: (any RequestValues)?

    init(_ value: Key.Value, of key: Key.Type, after earlier: (any RequestValues)?) {
        self.value = value
        self.earlier = earlier
    }

    func value(of key: ObjectIdentifier) -> (any RequestValues)? {
        key == ObjectIdentifier(Key.self) ? self : earlier?.value(of: key)
    }

    func copy(after earlier: (any RequestValues)?) -> any RequestValues {
        RequestValue(value, of: Key.self, after: earlier)
    }

    /// The value of a key among those of a request.
    static func found(in values: (any RequestValues)?) -> RequestValue? {
        values?.value(of: ObjectIdentifier(Key.self)).map { unsafeDowncast($0, to: RequestValue.self) }
    }

    /// The values of a request, without this one.
    func removed(from values: any RequestValues) -> (any RequestValues)? {
        values === self ? earlier : values.copy(after: values.earlier.flatMap(removed))
    }
}

/// The typed values of a request, the newest first.
protocol RequestValues: AnyObject, Sendable {
    /// Those that were set before the latest.
    var earlier: (any RequestValues)? { get }
    /// The value of a key, which is a `RequestValue` of that key; nil when there is none.
    func value(of key: ObjectIdentifier) -> (any RequestValues)?
    /// The latest, in front of others.
    func copy(after earlier: (any RequestValues)?) -> any RequestValues
}
