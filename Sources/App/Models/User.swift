/// Somebody on the list: what `/users` shows, and nothing else.
struct User: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    var name: String
    /// Counts the changes, so that two people who change a user at the same time do not overwrite each other
    /// unknowingly.
    var version = 1

    /// Without the version, which goes beside the user, as an entity tag or in a form.
    private enum CodingKeys: CodingKey {
        case id, name
    }
}
