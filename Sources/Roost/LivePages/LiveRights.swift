import Synchronization

/// The rights of one viewer to the pages of a stream: those of all middleware around each page.
///
/// They are looked at when the stream is opened, and again before content is sent, if the last look was some time ago.
/// A refresh needs none: the page's own request looks.
final class LiveRights: Sendable {
    /// The time for which a look at the rights holds.
    static let interval = Duration.seconds(10)

    private let request: Request
    private let live: LivePages
    private let interval: Duration
    private let page: LivePages.FollowedPage
    /// The topics that the viewer follows.
    private let topics: [ObjectIdentifier]
    private let lastLook: Mutex<ContinuousClock.Instant>

    init(
        _ request: Request, to page: LivePages.FollowedPage, following topics: [ObjectIdentifier], _ live: LivePages,
        interval: Duration = interval
    ) {
        self.request = request
        self.page = page
        self.topics = topics
        self.live = live
        self.interval = interval
        lastLook = Mutex(live.time.instant())
    }

    /// - Throws: ``LiveRightLost`` when the viewer may not see the page any more, or gets something else there.
    func check() async throws {
        let now = live.time.instant()
        guard lastLook.withLock({ $0.duration(to: now) >= interval }) else { return }
        do {
            guard try await live.open(page, for: request)?.topics == topics else { throw LiveRightLost() }
        } catch {
            if error is LiveRightLost || error.endsCancelledTask { throw error }
            // Nothing can be known now, as while a database is away. It is asked again the next time.
            return
        }
        lastLook.withLock { $0 = live.time.instant() }
    }
}
