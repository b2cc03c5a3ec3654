import Synchronization

/// A limit on the number of things of one kind that there are at the same time.
package final class Places: Sendable {
    package let limit: Int
    private let taken = Mutex(0)

    package init(_ limit: Int) { self.limit = limit }

    /// A place; nil when there is none.
    package func take() -> Place? {
        let isTaken = taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
        return isTaken ? Place(self) : nil
    }

    /// A place that is given back when nothing refers to it any more, if not before.
    package final class Place: Sendable {
        private let places: Places
        private let isTaken = Atomic(true)

        fileprivate init(_ places: Places) { self.places = places }

        deinit { giveBack() }

        /// Gives it back; a second time does nothing.
        func giveBack() {
            if isTaken.exchange(false, ordering: .relaxed) { places.taken.withLock { $0 -= 1 } }
        }
    }
}
