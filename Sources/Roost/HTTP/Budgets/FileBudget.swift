import Synchronization

/// How many files may be open at once because clients are being sent them.
final class FileBudget: Sendable {
    private let capacity: Int
    private let count = Atomic(0)

    init(_ capacity: Int) { self.capacity = capacity }

    /// For the whole process, which its file descriptors belong to.
    static let process = FileBudget(DescriptorShares.process.files)

    /// Takes a place. False when there is none.
    ///
    /// A quarter of the places is kept from slow files, those that stay open until their client has taken them: the
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
