import Roost

/// A query for a page of the list of users.
///
/// The list is in the order of ids; a search is in the order of names, as an index has them.
struct UserQuery: Sendable, Equatable {
    /// The beginning of the names, in any case; empty for all users.
    var name = ""
    var page = PageQuery()

    /// The beginning of ``User/key``; nil without a search.
    var keyPrefix: String? { name.isEmpty ? nil : User.key(of: name) }
}

extension User {
    /// The form in which a name is sorted and searched: engines differ in how they convert to lower case.
    static func key(of name: String) -> String { name.lowercased() }

    /// The form of its name in which it is sorted and searched.
    var key: String { Self.key(of: name) }
}
