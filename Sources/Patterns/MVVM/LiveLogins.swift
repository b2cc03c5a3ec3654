import PatternCore
import PatternScreens
import Roost
import Synchronization

/// The view models that pages follow: at most a thousand, for ten minutes each. When all places are taken, a client
/// gets one of those of the client that has most, if that has more than it has itself: so nobody can take all for long.
final class LiveLogins: Sendable {
    struct Login: Sendable {
        let viewModel: LoginViewModel
        /// Whom its model remembers.
        let visitor: Visitor
        fileprivate let client: IPNetwork?
        fileprivate let end: ContinuousClock.Instant
    }

    private let logins = Mutex<[String: Login]>([:])
    private let maximumCount: Int
    private let now: @Sendable () -> ContinuousClock.Instant

    init(maximumCount: Int = 1000, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.maximumCount = maximumCount
        self.now = now
    }

    /// Makes a view model, and keeps it under a name that nobody can guess.
    /// - Throws: `HTTPError` with 503 when there are too many.
    func begin(_ visitor: Visitor, for client: IPNetwork? = nil) throws(HTTPError) -> String {
        let (id, now, visitor) = (Token.random(), now(), visitor.stranger())
        let viewModel = LoginViewModel(authService: visitor.authService)
        let login = Login(viewModel: viewModel, visitor: visitor, client: client, end: now + .seconds(600))
        let isKept = logins.withLock { logins in
            Self.removeOld(from: &logins, now)
            if logins.count >= maximumCount { Self.makeRoom(in: &logins, for: client) }
            guard logins.count < maximumCount else { return false }
            logins[id] = login
            return true
        }
        guard isKept else {
            throw HTTPError(.serviceUnavailable, "Too many pages follow a view model.", headers: [.retryAfter: "60"])
        }
        return id
    }

    /// - Throws: `HTTPError` with 404 when there is none, or its time is over.
    func login(_ id: String) throws(HTTPError) -> Login {
        let now = now()
        let login = logins.withLock { logins in
            Self.removeOld(from: &logins, now)
            return logins[id]
        }
        guard let login else { throw HTTPError(.notFound) }
        return login
    }

    /// Ends the oldest view model of the client that has most, if it has more than another would have then.
    private static func makeRoom(in logins: inout [String: Login], for client: IPNetwork?) {
        let groups = Dictionary(grouping: logins) { $0.value.client }
        let own = groups[client]?.count ?? 0
        guard let most = groups.values.max(by: { $0.count < $1.count }), most.count > own + 1,
            let oldest = most.min(by: { $0.value.end < $1.value.end })
        else { return }
        oldest.value.viewModel.state.finish()
        logins[oldest.key] = nil
    }

    private static func removeOld(from logins: inout [String: Login], _ now: ContinuousClock.Instant) {
        for (id, login) in logins where login.end <= now {
            login.viewModel.state.finish()
            logins[id] = nil
        }
    }
}
