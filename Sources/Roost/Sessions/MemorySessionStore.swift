import Synchronization

/// A store of sessions in memory: for one process, until it ends.
///
/// A session ends when it has not been used for a while, or when it is too old. When the store is full, it ends the
/// least recently used sessions, beginning with those of the client address that has the most, so that one client
/// cannot push out everybody else's. Only the SHA-256 of a token is kept.
public final class MemorySessionStore: OwnedSessionStore {
    private struct Entry {
        var values: [String: String]
        var lastUsed: ContinuousClock.Instant
        let begun: ContinuousClock.Instant
    }

    private let entries = Mutex<[SHA256Digest: Entry]>([:])
    private let idleTimeout: Duration
    private let lifetime: Duration
    private let maximumCount: Int
    private let time = TimeSource.current

    /// Creates an empty store.
    /// - Parameters:
    ///   - idleTimeout: The maximum time for which a session may go unused.
    ///   - lifetime: The maximum time from a session's beginning to its end.
    ///   - maximumCount: The maximum number of sessions that are kept.
    public init(
        idleTimeout: Duration = .seconds(30 * 60),
        lifetime: Duration = .seconds(8 * 60 * 60),
        maximumCount: Int = 10_000
    ) {
        self.idleTimeout = idleTimeout
        self.lifetime = lifetime
        self.maximumCount = maximumCount
    }

    /// Returns the values kept for a token.
    public func values(for token: String) -> [String: String]? {
        let (now, key) = (time.instant(), Session.digest(ofToken: token))
        return entries.withLock { entries in
            guard let entry = entries[key] else { return nil }
            guard isAlive(entry, now) else {
                entries[key] = nil
                return nil
            }
            entries[key]?.lastUsed = now
            return entry.values
        }
    }

    /// Keeps the values of a new token.
    public func save(_ values: [String: String], for token: String) {
        let (now, key) = (time.instant(), Session.digest(ofToken: token))
        entries.withLock { entries in
            if entries[key] == nil, entries.count >= maximumCount { makeRoom(in: &entries, now) }
            entries[key] = Entry(values: values, lastUsed: now, begun: now)
        }
    }

    /// Replaces the values of a token that is still known.
    public func update(_ values: [String: String], for token: String) {
        entries.withLock { $0[Session.digest(ofToken: token)]?.values = values }
    }

    /// Sets some values of a token that is still known.
    public func change(_ changes: [String: String?], for token: String) {
        entries.withLock { $0[Session.digest(ofToken: token)]?.values.merge(changes) }
    }

    /// Moves the values of a token that is still known to a new token, with some changes.
    public func replace(
        _ token: String, with newToken: String, _ changes: [String: String?]
    ) -> [String: String]? {
        let now = time.instant()
        return entries.withLock { entries in
            guard var values = entries.removeValue(forKey: Session.digest(ofToken: token))?.values else { return nil }
            values.merge(changes)
            entries[Session.digest(ofToken: newToken)] = Entry(values: values, lastUsed: now, begun: now)
            return values
        }
    }

    /// Forgets a token.
    public func remove(_ token: String) {
        entries.withLock { $0[Session.digest(ofToken: token)] = nil }
    }

    /// Returns whether a token is known and has not expired.
    public func isAlive(_ token: String) -> Bool {
        let (now, key) = (time.instant(), Session.digest(ofToken: token))
        return entries.withLock { $0[key].map { isAlive($0, now) } ?? false }
    }

    /// Returns the sessions of an owner that have not ended, the last used first.
    public func sessions(of owner: String) -> [OwnedSession] {
        let now = time.instant()
        let own = entries.withLock { $0.filter { isOwn($0.value, owner) && isAlive($0.value, now) } }
        let sorted = own.sorted { $0.value.lastUsed > $1.value.lastUsed }.prefix(OwnedSession.maximumListed)
        return sorted.map { key, entry in
            OwnedSession(
                id: Session.id(of: key), values: entry.values, begun: now - entry.begun, used: now - entry.lastUsed)
        }
    }

    /// Ends one session of an owner.
    @discardableResult
    public func end(_ id: String, of owner: String) -> Bool {
        let wasThere = entries.withLock { entries in
            guard let key = entries.first(where: { Session.id(of: $0.key) == id && isOwn($0.value, owner) })?.key
            else { return false }
            entries[key] = nil
            return true
        }
        if wasThere { LastingVisits.process.end(id) }
        return wasThere
    }

    /// Ends the sessions of an owner, except one.
    public func endAll(of owner: String, except id: String?) {
        entries.withLock { entries in
            entries = entries.filter { !isOwn($0.value, owner) || Session.id(of: $0.key) == id }
        }
        LastingVisits.process.endAll(of: owner, except: id)
    }

    private func isOwn(_ entry: Entry, _ owner: String) -> Bool {
        entry.values[Session.ownerKey]?.utf8.elementsEqual(owner.utf8) ?? false
    }

    /// The number of sessions in memory, including expired ones that nobody has asked for since.
    package var count: Int { entries.withLock { $0.count } }

    private func isAlive(_ entry: Entry, _ now: ContinuousClock.Instant) -> Bool {
        now - entry.lastUsed < idleTimeout && now - entry.begun < lifetime
    }

    /// Drops the expired entries. If there are none, drops a tenth of all entries, so that a full store is not searched
    /// for every new session: those with most newer ones of the same address, and among these the last used first.
    private func makeRoom(in entries: inout [SHA256Digest: Entry], _ now: ContinuousClock.Instant) {
        entries = entries.filter { isAlive($0.value, now) }
        guard entries.count >= maximumCount else { return }
        var newer: [String: Int] = [:]
        let ranked = entries.sorted { $0.value.lastUsed > $1.value.lastUsed }.map { key, entry in
            // Sessions without an address, such as carts, count as those of one client.
            let address = entry.values[Session.addressKey] ?? ""
            defer { newer[address, default: 0] += 1 }
            return (key: key, rank: newer[address] ?? 0)
        }
        // The sort is stable: among equals, those used last stay in front.
        let dropped = ranked.sorted { $0.rank < $1.rank }.suffix(max(1, maximumCount / 10))
        for entry in dropped { entries[entry.key] = nil }
    }
}
