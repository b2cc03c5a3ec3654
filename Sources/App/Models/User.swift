/// Somebody on the list: what `/users` shows, and nothing else.
struct User: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    var name: String
    /// Counts the changes, so that two people who change a user at the same time do not overwrite each other
    /// unknowingly.
    var version = 1
    /// The name under which the picture is kept; nil without one.
    var picture: String?

    /// Without the version, which goes beside the user, as an entity tag or in a form, and without the picture, which
    /// has an address of its own.
    private enum CodingKeys: CodingKey {
        case id, name
    }
}
