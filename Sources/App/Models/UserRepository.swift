import Logging
import Roost
import RoostJobs
import RoostSQL

/// Stores users, and tells when they change.
protocol UserRepository: Sendable {
    /// The changes of the list by anybody, in the order in which they were made.
    var changes: any TopicProtocol<UserChange> { get }
    /// A page of the list.
    func list(_ query: UserQuery) async throws -> Page<User>
    /// The user with an id; nil when there is none.
    func user(_ id: Int) async throws -> User?
    /// Adds a user, who gets an id that was never used before.
    func add(_ name: String) async throws -> User
    /// Gives a user another name.
    /// - Parameter version: The version to change; nil for any.
    func rename(_ id: Int, to name: String, version: Int?) async throws -> UserOutcome
    /// Records the name under which the user's picture is kept; nil for none. The version stays: it counts renamings.
    /// - Returns: The user as it was before; nil when there is none.
    func setPicture(_ picture: String?, of id: Int) async throws -> User?
    /// Removes a user, whose id is never used again.
    /// - Parameter version: The version to remove; nil for any.
    func remove(_ id: Int, version: Int?) async throws -> UserOutcome
}

/// The result of a change.
enum UserOutcome: Sendable, Equatable {
    /// The change was made: the user as it is now, or was before it was removed.
    case done(User)
    /// Somebody else has changed the user in the meantime.
    case conflict
    /// No such user exists.
    case missing
}

/// Keeps users in the table `users`.
///
/// Each page of the list begins at a place in an index and reads no further than its end, so it costs the same wherever
/// it is. Triggers make an event of each change, in its transaction (`Migrations/user_events`): what other programs
/// change is told, too, and an `INSERT` with its event is one statement, which shares its commit with others.
struct SQLUserRepository: UserRepository {
    let database: Database
    /// The events that the triggers make; a service, which the caller starts.
    let topic: SQLTopic<UserChange>
    private let time = TimeSource.current
    /// The queue of jobs by which another program is told about changes; nil if none is.
    var webhooks: Jobs?

    init(database: Database, logger: Logger = Logger(label: "app")) {
        self.database = database
        topic = SQLTopic("users", in: database, logger: logger)
    }

    var changes: any TopicProtocol<UserChange> { topic }

    func list(_ query: UserQuery) async throws -> Page<User> {
        guard let statement = query.statement else { return Page(read: [], for: query.page) { _ in "" } }
        return try await database.page(query.page, statement, order: query.order)
    }

    func user(_ id: Int) async throws -> User? {
        try await database.first("SELECT \(User.columns) FROM users WHERE id = \(id)", as: User.self)
    }

    func add(_ name: String) async throws -> User {
        let insert: SQL = "INSERT INTO users (name, name_key) VALUES (\(name), \(User.key(of: name)))"
        // Alone, an insertion shares its commit with others.
        let id = try await webhooks == nil ? database.insert(insert) : change(.added, insert)?.id
        guard let id else { throw DatabaseError.unavailable("it has not kept the user.") }
        if webhooks == nil { topic.tableHasChanged() }
        return User(id: id, name: name)
    }

    func rename(_ id: Int, to name: String, version: Int?) async throws -> UserOutcome {
        let values: SQL = "name = \(name), name_key = \(User.key(of: name)), version = version + 1"
        return try await change(.renamed, id, "UPDATE users SET \(values) WHERE \(Self.condition(id, version))")
    }

    func remove(_ id: Int, version: Int?) async throws -> UserOutcome {
        try await change(.removed, id, "DELETE FROM users WHERE \(Self.condition(id, version))")
    }

    private static func condition(_ id: Int, _ version: Int?) -> SQL {
        version.map { "id = \(id) AND version = \($0)" } ?? "id = \(id)"
    }

    private func change(_ kind: UserChange.Kind, _ id: Int, _ sql: SQL) async throws -> UserOutcome {
        if let user = try await change(kind, sql) { return .done(user) }
        return try await user(id) == nil ? .missing : .conflict
    }

    /// Makes a change, and in the same transaction the job that tells about it, if somebody is told.
    /// - Parameter sql: A statement that changes at most one user.
    private func change(_ kind: UserChange.Kind, _ sql: SQL) async throws -> User? {
        let statement: SQL = "\(sql) RETURNING \(User.columns)"
        var user: User?
        if let webhooks {
            user = try await database.transaction { transaction -> User? in
                let changed = try await transaction.first(statement, as: User.self)
                if let changed {
                    let change = UserChange(kind: kind, user: changed.summary)
                    try await webhooks.add(UserWebhook(change: change, time: time.now), in: transaction)
                }
                return changed
            }
        } else {
            user = try await database.first(statement, as: User.self)
        }
        if user != nil { topic.tableHasChanged() }
        return user
    }

    // MARK: Pictures

    func setPicture(_ picture: String?, of id: Int) async throws -> User? {
        // Whoever is quicker wins, and the other one looks again, so that each picture is told to somebody as the one
        // before.
        while let before = try await user(id) {
            if before.picture == nil, picture == nil { return before }
            let isSame: SQL = before.picture.map { "picture = \($0)" } ?? "picture IS NULL"
            let sql: SQL = "UPDATE users SET picture = \(picture) WHERE id = \(id) AND \(isSame)"
            if try await change(.pictured, sql) != nil { return before }
        }
        return nil
    }

    /// Returns those of some names under which users' pictures are kept.
    func pictures(among names: [String]) async throws -> Set<String> {
        Set(try await database.query("SELECT picture FROM users WHERE picture IN \(list: names)", as: String.self))
    }
}

extension User {
    /// The columns of its row, for statements.
    static let columns: SQL = "id, name, version, picture"
}
