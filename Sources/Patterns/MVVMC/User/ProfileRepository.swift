import PatternCore

/// Where the user comes from.
struct ProfileRepository: Sendable {
    func load() -> Profile {
        trace()
        return Profile(id: "w", name: "Mark")
    }
}
