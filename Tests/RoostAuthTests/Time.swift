import Synchronization

/// Time that passes when a test says so.
final class Time: Sendable {
    private let count = Atomic(1_800_000_000_000)

    /// In milliseconds since 1970.
    var milliseconds: Int { count.load(ordering: .relaxed) }
    /// In seconds since 1970.
    var seconds: Int { milliseconds / 1000 }

    func pass(_ seconds: Int) { count.add(seconds * 1000, ordering: .relaxed) }
    func pass(milliseconds: Int) { count.add(milliseconds, ordering: .relaxed) }
}
