/// A member of a JSON merge patch (RFC 7396): left as it is, removed, or set to a value.
///
///     struct NestPatch: Decodable, Sendable {
///         var tree: MergePatch<String>              // {} leaves it, {"tree": null} removes it
///         var eggs: MergePatch<Int>
///     }
///     routes.patch(one, NestPatch.self) { _, patch, id in
///         patch.eggs.apply(to: &nest.eggs)
///
/// Clients send it as `application/merge-patch+json`, or as plain JSON.
public enum MergePatch<Value> {
    /// The member is not in the patch.
    case absent
    /// The member is null.
    case null
    /// The member has a value.
    case value(Value)

    /// Changes an optional value as the patch says.
    public func apply(to value: inout Value?) {
        switch self {
        case .absent: return
        case .null: value = nil
        case .value(let new): value = new
        }
    }

    /// Changes a value that cannot be nil; null, too, leaves it as it is.
    public func apply(to value: inout Value) {
        if case .value(let new) = self { value = new }
    }
}

extension MergePatch: Sendable where Value: Sendable {}
extension MergePatch: Equatable where Value: Equatable {}

extension MergePatch: Decodable where Value: Decodable {
    /// Reads a value or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension KeyedDecodingContainer {
    /// Decodes a member of a merge patch; the `init(from:)` that the compiler makes calls this, too.
    public func decode<Value: Decodable>(
        _ type: MergePatch<Value>.Type, forKey key: Key
    ) throws -> MergePatch<Value> {
        guard contains(key) else { return .absent }
        return try decodeNil(forKey: key) ? .null : .value(try decode(Value.self, forKey: key))
    }
}
