/// A coder that is passed on by reference.
@usableFromInline
final class SharedJSONCoder: Sendable {
    /// The key under which a request carries the coder of its application or group.
    enum Key: RequestKey { typealias Value = SharedJSONCoder }

    let coder: JSONCoder

    init(_ coder: JSONCoder) { self.coder = coder }
}

extension Request {
    /// How its body and its responses are written in JSON: as the application says (`Application(json:)`), or the group
    /// (`JSONConvention`).
    public var jsonCoder: JSONCoder { self[SharedJSONCoder.Key.self]?.coder ?? JSONCoder() }
}
