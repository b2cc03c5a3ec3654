import Roost

/// `Templates/users/show.mustache`
struct UserPage: Encodable, Sendable {
    let signedInAs: String?
    let user: User

    init(_ user: User, _ request: Request) {
        signedInAs = request.signedInAs
        self.user = user
    }
}
