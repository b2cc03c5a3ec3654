import Roost

/// `Templates/users/index.mustache`
struct UsersPage: Encodable, Sendable {
    let signedInAs: String?
    let users: [User]
    let hasUsers: Bool
    /// What stands in the form's field.
    let name: String
    /// What is wrong with it.
    let error: String?

    init(_ users: [User], _ request: Request, name: String = "", error: String? = nil) {
        signedInAs = request.signedInAs
        self.users = users
        hasUsers = !users.isEmpty
        self.name = name
        self.error = error
    }
}
