import Roost
import RoostSQL

/// Keeps users in a table (`Migrations/0001_users`).
///
/// Each page of the list begins at a place in an index and reads no further than its end, so it costs the same wherever
/// it is. `name_key` is what ``UserPlace/key(of:)`` makes of the name, since engines differ in how they convert to
/// lower case.
///
/// Triggers make an event of each change, in its transaction (`Migrations/0003_user_events`), so changes that are made
/// by other means are told, too.
struct SQLUserRepository: UserRepository {
    let database: Database
    private let replica: ReadReplica?
    private let topic: SQLTopic<UserChange>

    /// - Parameters:
    ///   - topic: The events that the triggers make; a service, which the caller starts.
    ///   - replica: The copy from which lists are read; nil without one.
    init(database: Database, topic: SQLTopic<UserChange>? = nil, replica: ReadReplica? = nil) {
        self.database = database
        self.replica = replica
        self.topic = topic ?? Self.topic(in: database)
    }

    /// The events that the triggers make.
    static func topic(in database: Database, logger: Logger = Logger(label: "app")) -> SQLTopic<UserChange> {
        SQLTopic("users", in: database, logger: logger)
    }

    var changes: Topic<UserChange> { topic.events }

    func changes(after id: String?) async throws -> TopicSubscription<UserChange> {
        try await topic.subscribe(after: id)
    }

    /// Those of some names under which users' pictures are kept.
    func pictures(among names: [String]) async throws -> Set<String> {
        Set(try await database.query("SELECT picture FROM users WHERE picture IN \(list: names)", as: String.self))
    }

    func list(_ query: UserQuery) async throws -> UserSlice {
        guard let sql = sql(query) else { return UserSlice(read: [], for: query) }
        if let replica, let position = query.position,
            let slice = try await replica.read(
                from: position,
                { copy, lastChange in
                    var slice = UserSlice(read: try await copy.query(sql, as: User.self), for: query)
                    slice.lastChange = lastChange
                    return slice
                })
        {
            return slice
        }
        return UserSlice(read: try await database.query(sql, as: User.self), for: query)
    }

    var hasCopy: Bool { replica != nil }

    func position() async throws -> Int { try await replica?.position() ?? 0 }

    /// The statement for a page of the list; nil when no user can be on it.
    func sql(_ query: UserQuery) -> SQL? {
        guard let prefix = query.keyPrefix else {
            return Self.byID(query.start, query.limit + 1)
        }
        // No name contains NUL, and not every engine accepts it in a text.
        guard !prefix.utf8.contains(0), !query.startKey.utf8.contains(0) else { return nil }
        return Self.byName(query.start, prefix).map { "\($0) LIMIT \(query.limit + 1)" }
    }

    private static func byID(_ start: UserQuery.Start, _ limit: Int) -> SQL {
        switch start {
        case .first:
            "SELECT id, name, version, picture FROM users ORDER BY id LIMIT \(limit)"
        case .after(let place):
            "SELECT id, name, version, picture FROM users WHERE id > \(place.id) ORDER BY id LIMIT \(limit)"
        case .before(let place):
            "SELECT id, name, version, picture FROM users WHERE id < \(place.id) ORDER BY id DESC LIMIT \(limit)"
        }
    }

    /// The names that begin with a prefix, starting at a place; nil when there can be none.
    private static func byName(_ start: UserQuery.Start, _ prefix: String) -> SQL? {
        let successor = prefix.successor
        let lower: SQL = "name_key >= \(prefix)"
        let upper: SQL = successor.map { "name_key < \($0)" } ?? "TRUE"
        switch start {
        case .after(let place) where place.isFrom(prefix):
            if let successor, place.isFrom(successor) { return nil }
            let rest: SQL = "name_key > \(place.key) AND \(upper)"
            return "\(merged("name_key = \(place.key) AND id > \(place.id)", rest)) ORDER BY name_key, id"
        case .before(let place) where successor.map(place.isFrom) != true:
            guard place.isFrom(prefix) else { return nil }
            let rest: SQL = "name_key < \(place.key) AND \(lower)"
            return "\(merged("name_key = \(place.key) AND id < \(place.id)", rest)) ORDER BY name_key DESC, id DESC"
        case .before:
            return """
                SELECT id, name, version, picture FROM users WHERE \(lower) AND \(upper) ORDER BY name_key DESC, id DESC
                """
        case .first, .after:
            return "SELECT id, name, version, picture FROM users WHERE \(lower) AND \(upper) ORDER BY name_key, id"
        }
    }

    /// Users with the same name as a place, and users with names beyond it: two ranges of the index, which the engine
    /// merges. If it compared pairs instead, SQLite would read all users who share a name, and a million may.
    private static func merged(_ sameName: SQL, _ otherNames: SQL) -> SQL {
        """
        SELECT id, name, version, picture, name_key FROM users WHERE \(sameName)
        UNION ALL SELECT id, name, version, picture, name_key FROM users WHERE \(otherNames)
        """
    }

    func user(_ id: Int) async throws -> User? {
        try await database.first("SELECT id, name, version, picture FROM users WHERE id = \(id)", as: User.self)
    }

    func add(_ name: UserName) async throws -> User {
        let id = try await database.insert(
            "INSERT INTO users (name, name_key) VALUES (\(name.text), \(UserPlace.key(of: name.text)))")
        guard let id else { throw RepositoryFull() }
        topic.tableHasChanged()
        return User(id: id, name: name.text)
    }

    func rename(_ id: Int, to name: UserName, version: Int?) async throws -> Change {
        try await change(
            """
            UPDATE users SET name = \(name.text), name_key = \(UserPlace.key(of: name.text)), version = version + 1
            WHERE \(Self.condition(id, version)) RETURNING id, name, version, picture
            """,
            id
        )
    }

    func setPicture(_ picture: String?, of id: Int) async throws -> User? {
        // Whoever is quicker wins, and the other one looks again, so that each picture is told to somebody as the one
        // before.
        while let before = try await user(id) {
            let isSame: SQL = before.picture.map { "picture = \($0)" } ?? "picture IS NULL"
            let sql: SQL = "UPDATE users SET picture = \(picture) WHERE id = \(id) AND \(isSame) RETURNING id"
            if try await database.first(sql, as: ID.self) != nil { return before }
        }
        return nil
    }

    private struct ID: Decodable, Sendable { let id: Int }

    func remove(_ id: Int, version: Int?) async throws -> Change {
        let condition = Self.condition(id, version)
        return try await change("DELETE FROM users WHERE \(condition) RETURNING id, name, version, picture", id)
    }

    private static func condition(_ id: Int, _ version: Int?) -> SQL {
        version.map { "id = \(id) AND version = \($0)" } ?? "id = \(id)"
    }

    private func change(_ sql: SQL, _ id: Int) async throws -> Change {
        if let user = try await database.first(sql, as: User.self) {
            topic.tableHasChanged()
            return .done(user)
        }
        return try await user(id) == nil ? .missing : .conflict
    }
}

extension UserQuery {
    /// The key of the name after which the page begins or before which it ends.
    fileprivate var startKey: String {
        switch start {
        case .first: ""
        case .after(let place), .before(let place): place.key
        }
    }
}

extension UserPlace {
    /// Whether the key of its name is a given key, or comes after it.
    fileprivate func isFrom(_ key: String) -> Bool { !self.key.utf8.lexicographicallyPrecedes(key.utf8) }
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
