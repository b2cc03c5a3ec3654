import Synchronization

/// A limit on the bodies that are compressed piece by piece at the same time: each takes some 100 KiB of memory, and
/// about a millisecond of a loop's time in each of its turns.
final class CompressionPlaces: Sendable {
    private let limit: Int
    private let taken = Atomic(0)

    init(limit: Int) { self.limit = limit }

    /// A place; nil when there is none.
    func take() -> Place? {
        if taken.add(1, ordering: .relaxed).newValue <= limit { return Place(self) }
        taken.subtract(1, ordering: .relaxed)
        return nil
    }

    /// A place that is given back when its body is compressed, or dropped.
    final class Place: Sendable {
        private let places: CompressionPlaces
        private let isTaken = Atomic(true)

        fileprivate init(_ places: CompressionPlaces) { self.places = places }

        deinit { giveBack() }

        /// Gives it back; a second time does nothing.
        func giveBack() {
            guard isTaken.exchange(false, ordering: .relaxed) else { return }
            places.taken.subtract(1, ordering: .relaxed)
        }
    }
}
