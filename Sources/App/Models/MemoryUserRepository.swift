import Roost
import Synchronization

/// Keeps users in memory, until the process ends.
final class MemoryUserRepository: UserRepository {
    let changes = Topic<UserChange>()
    private let state: Mutex<State>
    private let capacity: Int

    private struct State {
        /// All users, in the order of their ids.
        var users: [User]
        var lastID: Int

        func index(of id: Int) -> Int? {
            let index = users.lowerBound { $0.id >= id }
            return index < users.count && users[index].id == id ? index : nil
        }
    }

    init(_ names: [String] = ["Nelson", "Cathy"], capacity: Int = 10_000) {
        let users = names.enumerated().map { User(id: $0.offset + 1, name: $0.element) }
        state = Mutex(State(users: users, lastID: users.count))
        self.capacity = capacity
    }

    func list(_ query: UserQuery) -> UserSlice {
        let users = state.withLock { $0.users }
        guard let prefix = query.keyPrefix else { return Self.slice(users, query) }
        let found = users.map { (user: $0, key: UserPlace.key(of: $0.name)) }
            .filter { $0.key.utf8.starts(with: prefix.utf8) }
            .sorted { UserPlace(id: $0.user.id, key: $0.key) < UserPlace(id: $1.user.id, key: $1.key) }
        return Self.slice(found.map(\.user), query)
    }

    /// The part of the sorted users that a query asks for.
    private static func slice(_ users: [User], _ query: UserQuery) -> UserSlice {
        let place = { (user: User) in UserPlace(user, in: query) }
        let rest =
            switch query.start {
            case .first: users[...]
            case .after(let start): users[users.lowerBound { place($0) > start }...]
            case .before(let end): users[..<users.lowerBound { place($0) >= end }]
            }
        if case .before = query.start {
            return UserSlice(read: rest.suffix(query.limit + 1).reversed(), for: query)
        }
        return UserSlice(read: Array(rest.prefix(query.limit + 1)), for: query)
    }

    func user(_ id: Int) -> User? {
        state.withLock { state in state.index(of: id).map { state.users[$0] } }
    }

    func add(_ name: UserName) throws -> User {
        try state.withLock { state in
            guard state.users.count < capacity else { throw RepositoryFull() }
            state.lastID += 1
            let user = User(id: state.lastID, name: name.text)
            state.users.append(user)
            changes.publish(UserChange(kind: .added, user: user))
            return user
        }
    }

    func rename(_ id: Int, to name: UserName, version: Int?) -> Change {
        change(id, version) { users, index in
            let isNew = !users[index].name.utf8.elementsEqual(name.text.utf8)
            users[index].name = name.text
            users[index].version += 1
            if isNew { changes.publish(UserChange(kind: .renamed, user: users[index])) }
            return users[index]
        }
    }

    func setPicture(_ picture: String?, of id: Int) -> User? {
        state.withLock { state in
            guard let index = state.index(of: id) else { return nil }
            defer { state.users[index].picture = picture }
            return state.users[index]
        }
    }

    func remove(_ id: Int, version: Int?) -> Change {
        change(id, version) { users, index in
            changes.publish(UserChange(kind: .removed, user: users[index]))
            return users.remove(at: index)
        }
    }

    private func change(_ id: Int, _ version: Int?, _ body: (inout [User], Int) -> User) -> Change {
        state.withLock { state in
            guard let index = state.index(of: id) else { return .missing }
            guard version == nil || version == state.users[index].version else { return .conflict }
            return .done(body(&state.users, index))
        }
    }
}

extension Array {
    /// The first index whose element fulfils a condition; the condition must hold for all elements after it too.
    fileprivate func lowerBound(where condition: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension UserPlace: Comparable {
    /// Compares the bytes of the keys, then the ids.
    static func < (left: UserPlace, right: UserPlace) -> Bool {
        if left.key.utf8.elementsEqual(right.key.utf8) { return left.id < right.id }
        return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
}
