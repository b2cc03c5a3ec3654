/// An item as a screen shows it.
struct CountItemViewModel: Equatable, Sendable {
    let title: String
    let message: String

    init(item: CountItem, index: Int) {
        title = "Item \(index + 1)"
        message = item.count
    }
}
