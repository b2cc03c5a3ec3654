/// Somebody on the list: what `/users` shows, and nothing else.
struct User: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    var name: String
    /// Counts the changes, so that two people who change a user at the same time do not overwrite each other
    /// unknowingly.
    var version = 1
    /// The name under which the picture is kept; nil without one.
    var picture: String?

    private enum CodingKeys: CodingKey {
        case id, name, version, picture
    }
}

extension User {
    /// Without the version, which goes beside the user, as an entity tag or in a form, and without the picture, which
    /// has an address of its own.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
    }

    /// From a row of the table, or from what was encoded.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        version = try container.decodeIfPresent(Int.self, forKey: .version) ?? 1
        picture = try container.decodeIfPresent(String.self, forKey: .picture)
    }
}
