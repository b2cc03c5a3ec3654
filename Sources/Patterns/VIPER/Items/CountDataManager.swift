/// Where the items come from.
struct CountDataManager: Sendable {
    private let items = ["First", "Second", "Third"].map { CountItem(count: $0) }

    func findItem(withIndex index: Int) -> CountItem? {
        items.indices.contains(index) ? items[index] : nil
    }
}
