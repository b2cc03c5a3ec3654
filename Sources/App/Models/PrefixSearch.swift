import RoostSQL

// The search for names that begin with a text, a page at a time. The names lie in an index in the order of their keys
// (`UserPlace.key`), and those that share a key in the order of their ids. A page begins at a place in that index, and
// reads no further than its end.

extension UserQuery {
    /// The statement that reads the page, and one user more; nil when no user can be on it.
    var sql: SQL? {
        guard let prefix = keyPrefix else { return byID }
        return byName(prefix).map { "\($0) LIMIT \(limit + 1)" }
    }

    private var byID: SQL {
        switch start {
        case .first:
            "SELECT \(User.columns) FROM users ORDER BY id LIMIT \(limit + 1)"
        case .after(let place):
            "SELECT \(User.columns) FROM users WHERE id > \(place.id) ORDER BY id LIMIT \(limit + 1)"
        case .before(let place):
            "SELECT \(User.columns) FROM users WHERE id < \(place.id) ORDER BY id DESC LIMIT \(limit + 1)"
        }
    }

    private func byName(_ prefix: String) -> SQL? {
        // No name contains NUL, and not every engine accepts it in a text.
        guard !prefix.utf8.contains(0) else { return nil }
        let lower: SQL = "name_key >= \(prefix)"
        let upper: SQL = prefix.successor.map { "name_key < \($0)" } ?? "TRUE"
        switch start {
        case .first:
            return "SELECT \(User.columns) FROM users WHERE \(lower) AND \(upper) ORDER BY name_key, id"
        case .after(let place):
            guard place.isAmong(prefix) else { return nil }
            let others: SQL = "name_key > \(place.key) AND \(upper)"
            return "\(Self.merged("name_key = \(place.key) AND id > \(place.id)", others)) ORDER BY name_key, id"
        case .before(let place):
            guard place.isAmong(prefix) else { return nil }
            let others: SQL = "name_key < \(place.key) AND \(lower)"
            return """
                \(Self.merged("name_key = \(place.key) AND id < \(place.id)", others)) ORDER BY name_key DESC, id DESC
                """
        }
    }

    /// Users with the same name as a place, and users with names beyond it: two ranges of the index, which the engine
    /// merges. If it compared pairs instead, SQLite would read all users who share a name, and a million may.
    private static func merged(_ sameName: SQL, _ otherNames: SQL) -> SQL {
        """
        SELECT \(User.columns), name_key FROM users WHERE \(sameName)
        UNION ALL SELECT \(User.columns), name_key FROM users WHERE \(otherNames)
        """
    }
}

extension UserPlace {
    /// Whether it can be a place among the names with a prefix; others come from no page of that search.
    fileprivate func isAmong(_ prefix: String) -> Bool { key.utf8.starts(with: prefix.utf8) && !key.utf8.contains(0) }
}

extension String {
    /// The first text, in the order of bytes, after all texts that begin with this one; nil when there is none.
    fileprivate var successor: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            let value = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let next = Unicode.Scalar(value) else { continue }
            var text = String.UnicodeScalarView(scalars)
            text.append(next)
            return String(text)
        }
        return nil
    }
}
