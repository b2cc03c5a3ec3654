/// An account that can sign in. Accounts are never listed, and are not users.
struct Account: Sendable, Equatable {
    let email: String
}
