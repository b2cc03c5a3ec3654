import PatternCore

/// The source of the user.
struct ProfileRepository: Sendable {
    func load() -> Profile {
        trace()
        return Profile(id: "w", name: "Mark")
    }
}
