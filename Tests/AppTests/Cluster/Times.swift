import Synchronization

/// The times at which a primary died, its copy was promoted, and the site was back; for the figures that tests print.
final class Times: Sendable {
    private struct State {
        var death, promotion, back: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    var death: ContinuousClock.Instant? {
        get { state.withLock { $0.death } }
        set { state.withLock { $0.death = newValue } }
    }

    var promotion: ContinuousClock.Instant? {
        get { state.withLock { $0.promotion } }
        set { state.withLock { $0.promotion = newValue } }
    }

    /// The first call counts.
    func isBack() {
        let now = ContinuousClock.now
        state.withLock { $0.back = $0.back ?? now }
    }

    var gap: Duration { state.withLock { ($0.death ?? .now).duration(to: $0.back ?? .now) } }
    var afterPromotion: Duration { state.withLock { ($0.promotion ?? .now).duration(to: $0.back ?? .now) } }
}
