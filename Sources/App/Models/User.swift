/// Somebody on the list: what `/users` shows, and nothing else.
struct User: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    let name: String
}
