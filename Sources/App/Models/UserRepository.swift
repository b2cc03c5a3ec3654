import Roost

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
    /// Notes under which name the user's picture is kept; nil for none. The version stays: it is that of the name.
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
