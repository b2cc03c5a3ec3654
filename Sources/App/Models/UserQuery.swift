/// A query for a page of the list of users.
///
/// The list is in the order of ids; a search is in the order of names, as an index has them. A page begins after, or
/// ends before, a given place in that order. So every page costs the same, however far into the list it is.
struct UserQuery: Sendable, Equatable {
    static let maximumLimit = 200

    /// The beginning of the names, in any case; empty for all users.
    var name = ""
    /// The most users on a page.
    var limit = 50
    var start = Start.first

    /// The place in the list after which a page begins, or before which it ends.
    enum Start: Sendable, Equatable {
        case first
        case after(UserPlace)
        case before(UserPlace)
    }

    /// The beginning of ``UserPlace/key``; nil without a search.
    var keyPrefix: String? { name.isEmpty ? nil : UserPlace.key(of: name) }
}

/// The place of a user in the list.
struct UserPlace: Sendable, Hashable {
    let id: Int
    /// The name in the form in which it is sorted and searched, byte by byte; empty in the list of all users, which is
    /// sorted by ids.
    let key: String

    /// The form in which a name is sorted and searched: engines differ in how they convert to lower case.
    static func key(of name: String) -> String { name.lowercased() }
}

extension UserPlace {
    /// The place of a user in the list that a query asks for.
    init(_ user: User, in query: UserQuery) {
        self.init(id: user.id, key: query.keyPrefix == nil ? "" : Self.key(of: user.name))
    }
}

/// A page of the list of users.
struct UserSlice: Sendable, Equatable {
    var users: [User]
    /// Whether there are more users before and after.
    var hasPrevious = false
    var hasNext = false
}

extension UserSlice {
    /// Makes a page from up to one user more than the query's limit. They are in the order in which they were read:
    /// from the start onwards, or backwards for ``UserQuery/Start/before(_:)``.
    init(read users: consuming [User], for query: UserQuery) {
        let hasMore = users.count > query.limit
        if hasMore { users.removeLast(users.count - query.limit) }
        self.users = users
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
