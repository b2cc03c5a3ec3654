/// A value that writes the members of its JSON object itself, in less than half the time that `Encodable` takes.
///
///     extension User: JSONWritable {
///         func write(to object: borrowing JSONMembers) throws {
///             object.member("id", id)
///             object.member("name", name)
///             try object.member("roles", roles)
///         }
///     }
///
/// It is for the few types that make up most of what a server sends. ``JSONCoder`` uses it wherever it meets such a
/// value, also in an array or deep inside an `Encodable`. Other encoders use `encode(to:)`; both should write the same.
public protocol JSONWritable: Encodable {
    /// Writes the members in order, each name once. Only a debug build always refuses a name that is written twice.
    func write(to object: borrowing JSONMembers) throws
}
