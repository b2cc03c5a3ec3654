/// The entity: an item of the list.
struct CountItem: Equatable, Sendable {
    let index: Int
    let count: String
}
