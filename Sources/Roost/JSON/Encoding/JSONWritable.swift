/// A value that writes the members of its JSON object itself, which takes less than half the time that `Encodable`
/// does.
///
///     extension User: JSONWritable {
///         func write(to object: borrowing JSONMembers) throws {
///             object.member("id", id)
///             object.member("name", name)
///             try object.member("roles", roles)
///         }
///     }
///
/// For the few types that make up most of what a server sends. ``JSONCoder`` uses it wherever it meets such a value, in
/// an array or deep inside an `Encodable` too; other encoders use `encode(to:)`, and both should write the same.
public protocol JSONWritable: Encodable {
    /// Writes the members in order, each name once.
    func write(to object: borrowing JSONMembers) throws
}
