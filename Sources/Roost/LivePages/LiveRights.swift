import Synchronization

/// The rights of one viewer to the pages of a stream: those of all middleware around each page.
///
/// They are looked at when the stream is opened, and again before content is sent, if the last look was some time ago.
/// A refresh needs none: the page's own request looks. While nobody can tell the rights, as while a database is away,
/// the last answer holds until it is ten minutes old: then the stream ends.
final class LiveRights: Sendable {
    /// The time for which a look at the rights holds.
    static let interval = Duration.seconds(10)
    /// The time for which the last answer holds if there is no other.
    static let longestTrust = Duration.seconds(600)

    private let stream: Request
    private let live: LivePages
    private let interval: Duration
    private let page: LivePages.FollowedPage
    /// The topics that the viewer follows.
    private let topics: [ObjectIdentifier]
    private let looks: Mutex<Looks>

    private struct Looks {
        /// The time of the last one that has told the rights, and of the last one of all.
        var good, last: ContinuousClock.Instant
    }

    init(
        _ stream: Request, to page: LivePages.FollowedPage, following topics: [ObjectIdentifier], _ live: LivePages,
        interval: Duration = interval
    ) {
        self.stream = stream
        self.page = page
        self.topics = topics
        self.live = live
        self.interval = interval
        let now = live.time.instant()
        looks = Mutex(Looks(good: now, last: now))
    }

    /// - Throws: ``LiveRightLost`` when the viewer may not see the page any more, gets something else there, or nobody
    ///   has been able to tell for too long.
    func check() async throws {
        let now = live.time.instant()
        guard looks.withLock({ $0.last.duration(to: now) >= interval }) else { return }
        do {
            guard try await live.open(page, for: stream, .all)?.topics == topics else { throw LiveRightLost() }
            let end = live.time.instant()
            looks.withLock { $0 = Looks(good: end, last: end) }
        } catch {
            if error is LiveRightLost || error.endsCancelledTask { throw error }
            let end = live.time.instant()
            let good = looks.withLock { looks in
                looks.last = end
                return looks.good
            }
            guard good.duration(to: end) < Self.longestTrust else { throw LiveRightLost() }
        }
    }
}
