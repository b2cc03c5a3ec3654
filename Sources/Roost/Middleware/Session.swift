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
    /// Without the ``Sessions`` middleware it is an empty one that is not kept.
    public var session: Session { self[Sessions.Key.self] ?? Session() }
}
