import PatternCore
import PatternScreens
import Roost
import Synchronization

/// The view models that stay on the server while a browser shows their page, one for each visitor: at most a thousand,
/// for ten minutes each. When all places are taken, a client gets one of those of the client that has most, if that has
/// more than it has itself: so nobody can take all for long. Who gets none has a view model for each request.
final class LiveLogins: Sendable {
    struct Login: Sendable {
        let viewModel: LoginViewModel
        /// The page of the view model, in each window of the browser.
        let page: LivePage
        /// Whom its model remembers.
        let visitor: Visitor
        fileprivate let client: IPNetwork?
        fileprivate let end: ContinuousClock.Instant
    }

    /// The page without viewers; each visitor has a copy.
    private let page: LivePage
    private let maximumCount: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logins = Mutex<[String: Login]>([:])

    init(
        templates: Templates, maximumCount: Int = 1000,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws {
        page = try LivePage(templates: templates, fragments: ["patterns/screens/login-form"])
        self.maximumCount = maximumCount
        self.now = now
    }

    deinit {
        logins.withLock { logins in
            for login in logins.values { login.viewModel.state.finish() }
        }
    }

    /// The view model of a visitor, if there is one and its time is not over.
    func login(of visitor: Visitor) -> Login? {
        guard let id = visitor.id else { return nil }
        let now = now()
        return logins.withLock { logins in
            Self.removeOld(from: &logins, now)
            return logins[id]
        }
    }

    /// Makes a view model for a visitor, and has its page follow it.
    /// - Returns: nil when there are too many.
    func begin(_ visitor: Visitor, for client: IPNetwork? = nil) -> Login? {
        let (id, now, stranger) = (visitor.identify(), now(), visitor.stranger())
        let login = Login(
            viewModel: LoginViewModel(authService: stranger.authService), page: page.copy(),
            visitor: stranger, client: client, end: now + .seconds(600))
        let isKept = logins.withLock { logins in
            Self.removeOld(from: &logins, now)
            if logins.count >= maximumCount { Self.makeRoom(in: &logins, for: client) }
            guard logins.count < maximumCount else { return false }
            logins.updateValue(login, forKey: id)?.viewModel.state.finish()
            return true
        }
        guard isKept else { return nil }
        bind(login)
        return login
    }

    /// Ends the view model of a visitor.
    func end(_ visitor: Visitor) {
        guard let id = visitor.id else { return }
        logins.withLock { $0.removeValue(forKey: id) }?.viewModel.state.finish()
    }

    /// The binding from a view model to its page.
    private func bind(_ login: Login) {
        let states = login.viewModel.state.values().dropFirst()  // The first one is in the page.
        Task { try await login.page.follow(states, of: login.viewModel) }
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

extension LivePage {
    /// Shows the present state of a view model after each change. The changed states may be older ones by then: who has
    /// been shown the end of a login would see it begin.
    func follow(_ changes: some AsyncSequence<LoginState, Never>, of viewModel: LoginViewModel) async throws {
        for await _ in changes {
            try await patch("login", View("patterns/screens/login-form", LoginPage(viewModel.state.value)))
        }
    }
}

extension LoginPage {
    /// The state and nothing else, as the `body` of a SwiftUI view is.
    init(_ state: LoginState) {
        self.init()
        email = state.email
        isLoading = state.isLoading
        errorMessage = state.errorMessage
    }
}
