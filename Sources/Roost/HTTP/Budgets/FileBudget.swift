import Synchronization

/// A limit on the number of files that are open at once while they are sent to clients.
final class FileBudget: Sendable {
    private let capacity: Int
    private let count = Atomic(0)

    init(_ capacity: Int) { self.capacity = capacity }

    /// The budget of the whole process, since its file descriptors belong to the process.
    static let process = FileBudget(DescriptorShares.process.files)

    /// Takes a place. False when there is none.
    ///
    /// A quarter of the places is off limits to slow files, which stay open until their client has taken them. The
    /// others, such as style sheets, are closed within a turn.
    func enter(isSlow: Bool) -> Bool {
        let most = isSlow ? capacity - capacity / 4 : capacity
        guard count.add(1, ordering: .relaxed).newValue <= most else {
            leave()
            return false
        }
        return true
    }

    /// Gives a place back.
    func leave() { count.subtract(1, ordering: .relaxed) }
}
