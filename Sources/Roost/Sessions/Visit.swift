import Synchronization

/// Looks up the session of one request, once somebody asks for it.
final class Visit: Sendable {
    /// The key under which a request carries it.
    enum Key: RequestKey { typealias Value = Visit }

    private let found = Mutex<Session?>(nil)
    /// The token in the cookie, once it has been looked for.
    private let sent = Mutex<String??>(nil)
    private let keeper: SessionKeeper
    /// Whether the session has been handed over to be saved.
    private let hasEnded = Atomic(false)
    /// The visit of the sessions around these, where a part of a site has sessions of its own.
    private let outer: Visit?

    init(_ keeper: SessionKeeper, inside outer: Visit?) {
        self.keeper = keeper
        self.outer = outer
    }

    /// Ends the innermost visit with a keeper that has not ended yet, and returns its session; nil if nobody has asked
    /// for that.
    func end(of keeper: SessionKeeper) -> Session.State? {
        guard self.keeper === keeper, !hasEnded.exchange(true, ordering: .relaxed) else {
            return outer?.end(of: keeper)
        }
        return known?.snapshot
    }

    /// The session, shared by everybody who asks for it; a new one when the request has no known token.
    func session(of request: Request) async throws -> Session {
        if let known { return known }
        return first(try await kept(for: request) ?? Session())
    }

    /// The first session that has been found: tasks of one request may ask at the same time.
    private func first(_ session: Session) -> Session {
        found.withLock { found in
            let first = found ?? session
            found = first
            return first
        }
    }

    /// The innermost session that names its owner (``Session/ownerKey``), from here outward; nil if none does.
    /// - Parameter toEnd: Whether it will only be ended. One that its store cannot read may be the owner's: it has
    ///   nothing but the request's token.
    func ownedSession(of request: Request, toEnd: Bool) async throws -> Session? {
        do {
            let session = try await session(of: request)
            if session[Session.ownerKey] != nil { return session }
        } catch {
            guard toEnd, let token = token(of: request) else { throw error }
            return first(Session(token: token))
        }
        return try await outer?.ownedSession(of: request, toEnd: toEnd)
    }

    /// The session if somebody has asked for it.
    var known: Session? { found.withLock { $0 } }

    /// Whether the request has a session already, or brings a token that may stand for one, here or further out.
    func mayHaveSession(_ request: Request) -> Bool {
        known != nil || token(of: request) != nil || outer?.mayHaveSession(request) ?? false
    }

    /// Whether something has depended on whether the request brings a token.
    var hasLookedForToken: Bool { sent.withLock { $0 } != nil }

    private func token(of request: Request) -> String? {
        if let sent = sent.withLock({ $0 }) { return sent }
        let token = request.cookie(keeper.cookieName).flatMap { keeper.store.isToken($0) ? $0 : nil }
        sent.withLock { $0 = .some(token) }
        return token
    }

    private func kept(for request: Request) async throws -> Session? {
        guard let token = token(of: request) else { return nil }
        return try await keeper.store.values(for: token).map { Session(values: $0, token: token) }
    }
}
