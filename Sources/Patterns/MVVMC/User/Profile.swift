/// The documents' user: an id and a name.
struct Profile: Equatable, Sendable {
    let id: String
    let name: String
}
