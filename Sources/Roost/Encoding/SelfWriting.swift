/// A value that writes its fields itself, for JSON and templates, which takes less time than `Encodable`.
///
///     extension User: SelfWriting {
///         func write(to fields: inout Fields) {
///             fields.add("id", id)
///             fields.add("name", name)
///             fields.add("roles", roles)
///         }
///     }
///
/// It is for the few types that make up most of what a server sends. ``JSONCoder`` and ``Templates`` use it wherever
/// they meet such a value, also in a list or deep inside an `Encodable`. Other encoders use `encode(to:)`; both should
/// write the same.
public protocol SelfWriting: Encodable {
    /// Writes the fields in order, each name once.
    func write(to fields: inout Fields)
}
