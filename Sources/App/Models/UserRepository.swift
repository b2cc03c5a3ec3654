/// Where users are kept.
protocol UserRepository: Sendable {
    /// A part of the list.
    func list(_ query: UserQuery) async throws -> UserSlice
    /// The user with an id; nil when there is none.
    func user(_ id: Int) async throws -> User?
    /// Adds a user, who gets an id that nobody has had before.
    /// - Throws: ``RepositoryFull`` when no more can be kept.
    func add(_ name: UserName) async throws -> User
    /// Gives a user another name.
    /// - Parameter version: The version that is to be changed; nil for any.
    func rename(_ id: Int, to name: UserName, version: Int?) async throws -> Change
    /// Removes a user, whose id nobody gets again.
    /// - Parameter version: The version that is to be removed; nil for any.
    func remove(_ id: Int, version: Int?) async throws -> Change
}

/// What became of a change.
enum Change: Sendable, Equatable {
    /// The user as it is now, or was last.
    case done(User)
    /// Somebody has changed the user meanwhile.
    case conflict
    /// There is no such user.
    case missing
}

/// The repository holds as many as it can.
struct RepositoryFull: Error {}
