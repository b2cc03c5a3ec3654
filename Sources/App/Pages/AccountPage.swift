import Roost

/// `Templates/account.mustache`
struct AccountPage: Encodable, Sendable {
    let signedInAs: String?
}
