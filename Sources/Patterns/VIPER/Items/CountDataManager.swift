/// The source of the items.
struct CountDataManager: Sendable {
    private let counts = ["First", "Second", "Third"]

    func findItem(withIndex index: Int) -> CountItem? {
        counts.indices.contains(index) ? CountItem(index: index, count: counts[index]) : nil
    }
}
