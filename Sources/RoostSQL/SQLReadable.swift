/// A row that reads its columns itself, some three times as fast as a synthesized `Decodable`. It pays for rows that
/// are read often, or many at a time.
///
///     struct Article: SQLReadable {
///         let id: Int
///         let title: String
///         let subtitle: String?
///
///         init(reading columns: inout SQLColumns) throws {
///             id = try columns.read("id")
///             title = try columns.read("title")
///             subtitle = try columns.readIfPresent("subtitle")
///         }
///     }
///
/// A ``Transaction``, ``Database/stream(_:as:)`` and any query that another thread or a connection of its own has to
/// run decode it like any other `Decodable`, so both ways must give the same.
public protocol SQLReadable: Decodable, Sendable {
    /// Reads the columns of a row; fastest in the order of the statement.
    /// - Throws: ``DatabaseError/column(_:reason:)`` for a column that is missing or of another type.
    init(reading columns: inout SQLColumns) throws
}
