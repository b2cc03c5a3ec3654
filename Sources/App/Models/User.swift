/// Somebody on the list, as a row of the table `users`; `Faster.swift` has how it reads itself from one.
struct User: Codable, Sendable, Equatable, Identifiable {
    /// The most characters of a name, and the most bytes: a character can have any number of them, since combining
    /// marks have no limit, but four are enough for nearly all.
    static let maximumNameLength = 100, maximumNameBytes = 400

    let id: Int
    var name: String
    /// Counts the changes, so that two people who change a user at the same time do not overwrite each other
    /// unknowingly.
    var version = 1
    /// The name under which the picture is kept; nil without one.
    var picture: String?

    /// The part of a user that everybody may see.
    var summary: Summary { Summary(id: id, name: name) }

    /// A user in JSON, and in the events of the list. The version goes beside it, as an entity tag or in a form, and
    /// the picture has an address of its own.
    struct Summary: Codable, Sendable, Equatable {
        let id: Int
        let name: String
    }
}

/// A change to the list of users, or to one of them.
struct UserChange: Codable, Sendable, Equatable {
    /// The kinds of change, by the names that clients know them by.
    enum Kind: String, Codable, Sendable {
        case added, renamed, pictured, removed
    }

    let kind: Kind
    /// The user as it is now, or was before it was removed.
    let user: User.Summary
}
