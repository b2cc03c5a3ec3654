import Synchronization

/// What the site remembers of one visitor between requests: texts by name, kept on the server.
///
/// The visitor holds only a random token. A session begins when something is set, so that who only reads gets no
/// cookie.
public final class Session: Sendable {
    struct State: Sendable {
        var values: [String: String] = [:]
        /// The token that came with the request, when it was valid.
        var token: String?
        var isChanged = false
        var isRenewed = false
        /// Whether it was ended; what has been set since then makes a new one.
        var isEnded = false
    }

    private let state: Mutex<State>

    init(values: [String: String] = [:], token: String? = nil) {
        state = Mutex(State(values: values, token: token))
    }

    /// A value of the session; setting `nil` removes it.
    public subscript(name: String) -> String? {
        get { state.withLock { $0.values[name] } }
        set {
            state.withLock { state in
                guard state.values[name].map(ExactText.init) != newValue.map(ExactText.init) else { return }
                state.values[name] = newValue
                state.isChanged = true
            }
        }
    }

    /// Takes a new token for the same values, as must happen when a visitor signs in: a token that somebody else may
    /// have planted before is then worth nothing.
    public func renew() {
        state.withLock { $0.isRenewed = true }
    }

    /// Forgets everything, on the server and in the browser. What is set afterwards begins a new session.
    public func end() {
        state.withLock { state in
            state.values = [:]
            state.isEnded = true
            state.isRenewed = true
        }
    }

    var snapshot: State { state.withLock { $0 } }
}

extension Request {
    /// The visitor's session.
    ///
    ///     let session = try await request.session
    ///     session["cart"] = "7"
    ///
    /// It is looked up when it is first asked for, so that a request that does not need it costs the store nothing and
    /// is answered while the store is down.
    /// - Throws: ``NoSessions`` where the ``Sessions`` middleware is not around the route; what the store throws.
    public var session: Session {
        get async throws {
            guard let visit = self[Visit.Key.self] else { throw NoSessions() }
            return try await visit.session(of: self)
        }
    }
}

/// The error of a handler that asks for a session where none is kept.
public struct NoSessions: Error, CustomStringConvertible {
    /// What to do about it.
    public var description: String {
        "No session is kept for this route: put Sessions(…) into the middleware of the application, or of its group."
    }
}
