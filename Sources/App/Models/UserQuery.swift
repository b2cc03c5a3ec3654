import Roost
import RoostSQL

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

// The search for names that begin with a text, a page at a time. The names lie in an index in the order of their keys
// (`User.key`), and those that share a key in the order of their ids. A page begins at a place in that index, and reads
// no further than its end.

extension UserQuery {
    /// The order of the list: by ids, or in a search by names.
    var order: PageOrder<User> {
        keyPrefix == nil ? Self.byID : Self.byName
    }

    private static let byID = PageOrder(\User.id)
    private static let byName = byID.by("name", column: "name_key", \.key).standard("name")

    private static let all: SQL = "SELECT \(User.columns) FROM users"

    /// The statement for the users from which the page is taken; nil when no user can be on it.
    var statement: SQL? {
        guard let prefix = keyPrefix else { return Self.all }
        return range(of: prefix).map { "SELECT \(User.columns), name_key FROM users WHERE \($0)" }
    }

    /// The condition for the part of the index with a prefix; nil when no user can be on the page.
    private func range(of prefix: String) -> SQL? {
        // No name contains NUL, and not every engine accepts it in a text.
        guard !prefix.utf8.contains(0) else { return nil }
        switch page.start {
        case .first: break
        // The page begins at its cursor, however far away the names with the prefix are.
        case .after(let cursor), .before(let cursor):
            guard Self.isPlace(cursor, among: prefix) else { return nil }
        }
        let upper: SQL = prefix.successor.map { "name_key < \($0)" } ?? "TRUE"
        return "name_key >= \(prefix) AND \(upper)"
    }

    /// Whether a cursor, an id with a key after its dot, can be a place among the names with a prefix; others come from
    /// no page of that search. A cursor without a key, or with a malformed one, is refused later.
    private static func isPlace(_ cursor: String, among prefix: String) -> Bool {
        PageCursor(cursor).value.flatMap(String.init(cursor:))?.utf8.starts(with: prefix.utf8) ?? true
    }
}

extension String {
    /// The first text, in the order of bytes, after all texts that begin with this one; nil when there is none.
    fileprivate var successor: String? {
        var scalars = unicodeScalars
        while let last = scalars.popLast() {
            let value = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let next = Unicode.Scalar(value) { return String(scalars) + String(next) }
        }
        return nil
    }
}
