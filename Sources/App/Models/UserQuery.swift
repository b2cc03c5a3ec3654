/// Which part of the list of users is asked for.
///
/// The list is in the order of ids; a search is in the order of names, as an index has them. A part begins behind, or
/// ends before, a user that is named by what it is sorted by: so every part costs the same, however far into the list.
struct UserQuery: Sendable, Equatable {
    static let maximumLimit = 200

    /// What the names begin with, without regard to case; empty for all users.
    var name = ""
    /// How many users at most.
    var limit = 50
    var start = Start.first

    /// Where the part lies.
    enum Start: Sendable, Equatable {
        case first
        case after(UserPlace)
        case before(UserPlace)
    }

    /// What ``UserPlace/key`` must begin with; nil without a search.
    var keyPrefix: String? { name.isEmpty ? nil : UserPlace.key(of: name) }
}

/// Where a user stands in the list.
struct UserPlace: Sendable, Hashable {
    let id: Int
    /// The name as it is sorted and searched, byte by byte; empty in the list of all users, which is sorted by ids.
    let key: String

    /// What a name is sorted and searched by.
    static func key(of name: String) -> String { name.lowercased() }
}

extension UserPlace {
    /// The place of a user in the list that a query asks for.
    init(_ user: User, in query: UserQuery) {
        self.init(id: user.id, key: query.keyPrefix == nil ? "" : Self.key(of: user.name))
    }
}

/// A part of the list of users.
struct UserSlice: Sendable, Equatable {
    var users: [User]
    /// Whether there are more before and behind.
    var hasPrevious = false
    var hasNext = false
}

extension UserSlice {
    /// The part that a query asks for, made of up to one user more than its limit: from its start on in the direction
    /// in which it was read, which is backwards for ``UserQuery/Start/before(_:)``.
    init(read users: [User], for query: UserQuery) {
        let hasMore = users.count > query.limit
        self.users = Array(users.prefix(query.limit))
        switch query.start {
        case .first: hasNext = hasMore
        case .after:
            hasPrevious = true
            hasNext = hasMore
        case .before:
            self.users.reverse()
            hasPrevious = hasMore
            hasNext = true
        }
    }
}
