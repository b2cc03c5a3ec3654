import Synchronization

/// A pause for which a copy that has failed is left alone. Then one read tries it again, while the others still go to
/// the primary until it has succeeded: a copy that hangs would otherwise cost each of them its timeout.
final class CopyPause: Sendable {
    private let length: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    /// The time at which the copy may be tried again; nil while it works.
    private let end = Mutex<ContinuousClock.Instant?>(nil)

    init(_ length: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.length = length
        self.now = now
    }

    /// Whether a read may try the copy now.
    func mayTry() -> Bool {
        end.withLock { end in
            guard let current = end else { return true }
            let now = now()
            guard now >= current else { return false }
            end = now + length
            return true
        }
    }

    func failed() { end.withLock { $0 = now() + length } }

    func succeeded() { end.withLock { $0 = nil } }
}
