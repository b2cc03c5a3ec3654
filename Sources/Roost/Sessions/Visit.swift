import Synchronization

/// Looks up the session of one request, once somebody asks for it.
final class Visit: Sendable {
    /// The key under which a request carries it.
    enum Key: RequestKey { typealias Value = Visit }

    private struct State {
        var found: Session?
        /// Whether what the session is by then has been handed over to be saved.
        var hasEnded = false
        /// The task that waits until the session has been found.
        var waiting: CheckedContinuation<Session?, Never>?

        mutating func takeWaiting() -> CheckedContinuation<Session?, Never>? {
            defer { waiting = nil }
            return waiting
        }
    }

    private let state = Mutex(State())
    /// The token in the cookie, once it has been looked for.
    private let sent = Mutex<String??>(nil)
    private let keeper: SessionKeeper
    /// The visit of the sessions around these, where a part of a site has sessions of its own.
    private let outer: Visit?

    init(_ keeper: SessionKeeper, inside outer: Visit?) {
        self.keeper = keeper
        self.outer = outer
    }

    /// Ends the innermost visit with a keeper that has not ended yet, and returns it with its session, which is nil if
    /// nobody has asked for that.
    func end(of keeper: SessionKeeper) -> (visit: Visit, session: Session.State?)? {
        guard self.keeper === keeper else { return outer?.end(of: keeper) }
        let (hadEnded, found) = state.withLock { state in
            defer { state.hasEnded = true }
            return (state.hasEnded, state.found)
        }
        guard !hadEnded else { return outer?.end(of: keeper) }
        return (visit: self, session: found?.close(keeper))
    }

    /// The session, shared by everybody who asks for it; a new one when the request has no known token.
    func session(of request: Request) async throws -> Session {
        if let known { return known }
        guard let token = token(of: request), let values = try await keeper.store.values(for: token) else {
            return first(Session())
        }
        return first(Session(values: values, token: token))
    }

    /// The first session that has been found: tasks of one request may ask at the same time.
    private func first(_ session: Session) -> Session {
        let (first, waiting) = state.withLock { state in
            let first = state.found ?? session
            // The handler of an event stream or a WebSocket asks after the response.
            if state.found == nil, state.hasEnded { _ = first.close(keeper) }
            state.found = first
            return (first, state.takeWaiting())
        }
        waiting?.resume(returning: first)
        return first
    }

    /// Waits until somebody has asked for the session, and returns it; nil if the waiting task is cancelled before.
    /// Only one task may wait.
    func whenKnown() async -> Session? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Session?, Never>) in
                let waits = state.withLock { state in
                    guard state.found == nil, !Task.isCancelled else { return false }
                    state.waiting = continuation
                    return true
                }
                if !waits { continuation.resume(returning: known) }
            }
        } onCancel: {
            state.withLock { $0.takeWaiting() }?.resume(returning: nil)
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
    var known: Session? { state.withLock { $0.found } }

    /// Whether the request has a session already, or brings a token that may stand for one, here or further out.
    func mayHaveSession(_ request: Request) -> Bool {
        known != nil || token(of: request) != nil || outer?.mayHaveSession(request) ?? false
    }

    /// Whether something has depended on whether the request brings a token.
    var hasLookedForToken: Bool { sent.withLock { $0 } != nil }

    /// The token that the request brings, if it has the form of one.
    func token(of request: Request) -> String? {
        if let sent = sent.withLock({ $0 }) { return sent }
        let token = request.cookie(keeper.cookieName).flatMap { keeper.store.isToken($0) ? $0 : nil }
        sent.withLock { $0 = .some(token) }
        return token
    }
}
