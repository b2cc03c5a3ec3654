import Roost
import RoostAuth

/// Somebody with an account, as this application sees it.
struct Member: Sendable {
    let id: Int
    let email: String
    let isAdmin: Bool

    init(_ account: Account) {
        id = account.id
        email = account.email
        isAdmin = account.roles.contains("admin")
    }
}

extension Request {
    /// The member who has signed in; nil for anybody else. It is loaded once a request.
    var member: Member? {
        get async throws { try await user(Member.self) }
    }
}
