import Synchronization

/// A visitor's session: values that the site keeps for a browser between requests, as strings by name, on the server.
///
/// The browser holds only a random token. A session begins when a value is first set, so a visitor who only reads gets
/// no cookie. If requests overlap, each changes only those names for which it sets another value; if two change the
/// same name, the last one wins.
public final class Session: Sendable {
    struct State: Sendable {
        var values: [String: String] = [:]
        /// The token that came with the request, when it was valid.
        var token: String?
        /// The names for which the request has set another value, or removed it.
        var changedNames: Set<String> = []
        var isRenewed = false
        /// Whether it was ended; values set after that begin a new session.
        var isEnded = false
        /// Whether the session may begin; see ``Session/confirm(_:)``.
        var confirmation: (@Sendable () async throws -> Void)?
        /// The keeper that the session has been handed over to, to be saved as it was then; nil before.
        var keeper: SessionKeeper?
        /// Whether the response gives the session another token, which this object does not have.
        var isReplaced = false
        /// Whether a change that came too late has been logged.
        var hasLoggedLateChange = false

        var isChanged: Bool { !changedNames.isEmpty }

        /// The values that the request has set, by name; nil for one that it has removed.
        var changes: [String: String?] { Dictionary(uniqueKeysWithValues: changedNames.map { ($0, values[$0]) }) }

        /// The keeper that logs the change that is being made: nil if the change will be saved, or is not the first
        /// that will not.
        mutating func keeperToLogChange() -> SessionKeeper? {
            guard let keeper, !hasLoggedLateChange else { return nil }
            hasLoggedLateChange = true
            return keeper
        }
    }

    private let state: Mutex<State>

    init(values: [String: String] = [:], token: String? = nil) {
        state = Mutex(State(values: values, token: token))
    }

    /// The value for a name; nil when there is none. Setting `nil` removes it.
    ///
    /// A value that is set after the response, as in the handler of an event stream or a WebSocket, is not saved; the
    /// first time this happens, an error is logged.
    ///
    /// The names `owner`, `email`, `device` and `address` are RoostAuth's, and `owner` says whose account it is: never
    /// store a client's text under them.
    public subscript(name: String) -> String? {
        get { state.withLock { $0.values[name] } }
        set {
            let keeper = state.withLock { state -> SessionKeeper? in
                guard state.values[name].map(ExactText.init) != newValue.map(ExactText.init) else { return nil }
                state.values[name] = newValue
                state.changedNames.insert(name)
                return state.keeperToLogChange()
            }
            keeper?.logLateChange("the value \"\(name)\" of a session was set")
        }
    }

    /// Keeps the values and replaces the token. Call it whenever a visitor signs in: a token that somebody else may
    /// have planted earlier is then worthless. If another request has ended or renewed the session meanwhile,
    /// the values that this request has set begin a new one; if it has set none, no session begins. After the response,
    /// as in the handler of an event stream or a WebSocket, it does nothing but log an error.
    public func renew() {
        let keeper = state.withLock { state in
            state.isRenewed = true
            return state.keeperToLogChange()
        }
        keeper?.logLateChange("a session was renewed")
    }

    /// Ends the session, on the server and in the browser. Values that are set afterwards begin a new session.
    ///
    /// After the response, as in the handler of an event stream or a WebSocket, the session ends in its store right
    /// away, and so does everything that it has opened; the browser keeps a worthless cookie. An error is logged if the
    /// store fails, or cannot end sessions, like ``CookieSessionStore``.
    public func end() {
        let ended = state.withLock { state in
            (state.values, state.changedNames) = ([:], [])
            state.isEnded = true
            state.isRenewed = true
            return state
        }
        guard let keeper = ended.keeper else { return }
        if ended.isReplaced {
            keeper.logLateEnd("its token is new, and only a later request brings it")
        } else if let token = ended.token {
            keeper.endLate(token)
        }
    }

    /// Hands the session over to be saved, and returns it as it is now. A change that comes later is logged.
    func close(_ keeper: SessionKeeper) -> State {
        state.withLock { state in
            let closed = state
            // It lasts no longer than it takes to save the session.
            state.confirmation = nil
            state.keeper = keeper
            state.isReplaced = state.isRenewed || state.token == nil && state.isChanged
            return closed
        }
    }

    /// Asks once more, after the session has been stored under a new token, whether it may begin. If that throws, the
    /// session is removed again, and the response is the error's. So whoever changes what sessions depend on, and then
    /// ends all that there are, leaves none that depends on what was before.
    package func confirm(_ confirmation: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.confirmation = confirmation }
    }

    var snapshot: State { state.withLock { $0 } }
}

extension Request {
    /// The visitor's session; an empty one when the visitor has none yet.
    ///
    ///     let session = try await request.session
    ///     session["cart"] = "7"
    ///
    /// It is looked up in the store on first use: a request that never asks for it costs the store nothing, and works
    /// while the store is down. ``Sessions`` saves the changes when the response has a status below 500. In a part of a
    /// site that has sessions of its own, it is one of those. An event stream or a WebSocket whose handler asks for it
    /// ends with it.
    /// - Throws: An error when no ``Sessions`` middleware is around the route; any error of the store.
    public var session: Session {
        get async throws {
            guard let visit = self[Visit.Key.self] else { throw NoSessions() }
            return try await visit.session(of: self)
        }
    }
}

extension Request {
    /// The session that names its owner (``Session/ownerKey``): the innermost one that does, since a part of a site may
    /// have sessions of its own inside those with the accounts. Without any, the ``session``.
    package var ownedSession: Session { get async throws { try await ownedSession(toEnd: false) } }

    /// The same; for somebody who only ends it, it is there even if the store cannot be read.
    package func ownedSession(toEnd: Bool) async throws -> Session {
        guard let visit = self[Visit.Key.self] else { throw NoSessions() }
        if let session = try await visit.ownedSession(of: self, toEnd: toEnd) { return session }
        return try await visit.session(of: self)
    }

    /// Whether asking for the ``ownedSession`` can find anything in it: false for most visitors who only read. It is
    /// true without ``Sessions``, so that asking tells what is missing.
    package var mayHaveSession: Bool { self[Visit.Key.self]?.mayHaveSession(self) ?? true }

    /// Whether ``Sessions`` is around the route.
    package var keepsSessions: Bool { self[Visit.Key.self] != nil }
}

/// The error of a handler that asks for a session on a route without ``Sessions``.
struct NoSessions: Error, CustomStringConvertible {
    /// A sentence that says what to do about it.
    var description: String {
        "No sessions are kept for this route: add Sessions(…) to the middleware of the application or of its group."
    }
}
