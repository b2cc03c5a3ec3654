/// The entity.
struct CountItem: Equatable, Sendable {
    let count: String
}
