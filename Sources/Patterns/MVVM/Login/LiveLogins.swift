import PatternCore
import PatternScreens
import Roost
import Synchronization

/// The view models that pages follow: at most a thousand, for ten minutes each. When all places are taken, a client
/// gets one of those of the client that has most, if that has more than it has itself: so nobody can take all for long.
final class LiveLogins: Sendable {
    private struct Entry {
        let viewModel: LoginViewModel
        let client: IPNetwork?
        let end: ContinuousClock.Instant
    }

    private let entries = Mutex<[String: Entry]>([:])
    private let maximumCount: Int
    private let lifetime: Duration
    private let now: @Sendable () -> ContinuousClock.Instant

    init(
        maximumCount: Int = 1000,
        lifetime: Duration = .seconds(600),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.maximumCount = maximumCount
        self.lifetime = lifetime
        self.now = now
    }

    /// Keeps a view model, under a name that nobody can guess.
    /// - Throws: `HTTPError` with 503 when there are too many.
    func add(_ viewModel: LoginViewModel, for client: IPNetwork? = nil) throws(HTTPError) -> String {
        let (id, now) = (Token.random(), now())
        let entry = Entry(viewModel: viewModel, client: client, end: now + lifetime)
        let isAdded = entries.withLock { entries in
            Self.removeOld(from: &entries, now)
            if entries.count >= maximumCount { Self.makeRoom(in: &entries, for: client) }
            guard entries.count < maximumCount else { return false }
            entries[id] = entry
            return true
        }
        guard isAdded else {
            throw HTTPError(.serviceUnavailable, "Too many pages follow a view model.", headers: [.retryAfter: "60"])
        }
        return id
    }

    /// - Throws: `HTTPError` with 404 when there is none, or its time is over.
    func viewModel(_ id: String) throws(HTTPError) -> LoginViewModel {
        let now = now()
        let viewModel = entries.withLock { entries in
            Self.removeOld(from: &entries, now)
            return entries[id]?.viewModel
        }
        guard let viewModel else { throw HTTPError(.notFound) }
        return viewModel
    }

    /// Ends the oldest view model of the client that has most, if it has more than another would have then.
    private static func makeRoom(in entries: inout [String: Entry], for client: IPNetwork?) {
        let groups = Dictionary(grouping: entries) { $0.value.client }
        let own = groups[client]?.count ?? 0
        guard let most = groups.values.max(by: { $0.count < $1.count }), most.count > own + 1,
            let oldest = most.min(by: { $0.value.end < $1.value.end })
        else { return }
        oldest.value.viewModel.state.finish()
        entries[oldest.key] = nil
    }

    private static func removeOld(from entries: inout [String: Entry], _ now: ContinuousClock.Instant) {
        for (id, entry) in entries where entry.end <= now {
            entry.viewModel.state.finish()
            entries[id] = nil
        }
    }
}
