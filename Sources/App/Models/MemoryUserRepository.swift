import Synchronization

/// Keeps users in memory, until the process ends.
final class MemoryUserRepository: UserRepository {
    private let users: Mutex<[User]>
    private let capacity: Int

    init(_ names: [String] = ["Nelson", "Cathy"], capacity: Int = 10_000) {
        users = Mutex(names.enumerated().map { User(id: $0.offset + 1, name: $0.element) })
        self.capacity = capacity
    }

    func all() -> [User] { users.withLock { $0 } }

    /// Ids are places in the list, since nobody is ever removed.
    func user(_ id: Int) -> User? {
        users.withLock { id > 0 && id <= $0.count ? $0[id - 1] : nil }
    }

    func add(_ name: UserName) throws -> User {
        try users.withLock { users in
            guard users.count < capacity else { throw RepositoryFull() }
            let user = User(id: users.count + 1, name: name.text)
            users.append(user)
            return user
        }
    }
}
