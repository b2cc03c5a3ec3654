import Roost

/// `Templates/users/show.mustache`
struct UserPage: Encodable, Sendable {
    let user: User
    /// The version that the forms change.
    let version: Int
    /// The content of the form's field.
    let name: String
    /// What is wrong with it.
    let error: String?

    init(_ user: User, typed: String? = nil, error: String? = nil) {
        self.user = user
        version = user.version
        name = typed.map { TypedText.shown($0, upTo: UserName.maximumBytes) } ?? user.name
        self.error = error
    }
}
