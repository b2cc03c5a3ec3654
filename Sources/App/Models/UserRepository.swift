/// Where users are kept.
protocol UserRepository: Sendable {
    /// Everybody, in the order of their ids.
    func all() async throws -> [User]
    /// The user with an id; nil when there is none.
    func user(_ id: Int) async throws -> User?
    /// Adds a user, who gets an id that nobody has had before.
    /// - Throws: ``RepositoryFull`` when no more can be kept.
    func add(_ name: UserName) async throws -> User
}

/// The repository holds as many as it can.
struct RepositoryFull: Error {}
