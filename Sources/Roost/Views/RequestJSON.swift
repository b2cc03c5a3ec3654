/// A coder that is passed on by reference.
@usableFromInline
final class SharedJSONCoder: Sendable {
    /// The key under which a request carries the coder of its application or group.
    enum Key: RequestKey { typealias Value = SharedJSONCoder }

    let coder: JSONCoder

    init(_ coder: JSONCoder) { self.coder = coder }
}

extension Request {
    /// The coder for its body and its responses in JSON: the application's (`Application(json:)`), or the group's
    /// (`JSONConvention`).
    public var jsonCoder: JSONCoder { self[SharedJSONCoder.Key.self]?.coder ?? JSONCoder() }
}
