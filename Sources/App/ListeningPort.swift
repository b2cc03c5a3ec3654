import Synchronization

/// The port that the site listens on. It is known only once the site listens: `PORT=0` takes a free port, and a socket
/// that the site is started with has its own.
final class ListeningPort: Sendable {
    private let known = Atomic(0)

    /// The port; nil before the site listens.
    var number: Int? {
        get {
            let number = known.load(ordering: .relaxed)
            return number > 0 ? number : nil
        }
        set { known.store(newValue ?? 0, ordering: .relaxed) }
    }
}
