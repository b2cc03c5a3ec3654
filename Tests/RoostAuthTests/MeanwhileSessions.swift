import Roost
import Synchronization

/// Sessions in memory, and something that happens just after one has been stored, or in place of an end.
final class MeanwhileSessions: OwnedSessionStore {
    private let store = MemorySessionStore()
    private let next = Mutex<(@Sendable () async throws -> Void)?>(nil)

    /// Has something happen after the next session has been stored, but before its browser knows.
    func meanwhile(_ body: @escaping @Sendable () async throws -> Void) { next.withLock { $0 = body } }

    private let nextEnd = Mutex<(@Sendable () throws -> Void)?>(nil)

    /// Has something happen in place of the next end of all sessions of an owner.
    func insteadOfEnd(_ body: @escaping @Sendable () throws -> Void) { nextEnd.withLock { $0 = body } }

    func values(for token: String) -> [String: String]? { store.values(for: token) }

    func save(_ values: [String: String], for token: String) async throws {
        store.save(values, for: token)
        try await next.withLock { $0.take() }?()
    }

    func sessions(of owner: String) -> [OwnedSession] { store.sessions(of: owner) }
    func end(_ id: String, of owner: String) -> Bool { store.end(id, of: owner) }

    func update(_ values: [String: String], for token: String) throws {
        try Task.checkCancellation()
        store.update(values, for: token)
    }

    /// Like a store over a network, it does nothing for a task that is cancelled.
    func remove(_ token: String) throws {
        try Task.checkCancellation()
        store.remove(token)
    }

    func endAll(of owner: String, except id: String?) throws {
        try Task.checkCancellation()
        if let body = nextEnd.withLock({ $0.take() }) { return try body() }
        store.endAll(of: owner, except: id)
    }
}
