public import Roost

/// The sender of a request: somebody who has signed in, or a program with an API token.
public struct CurrentUser: Sendable, Equatable {
    /// The id of the account.
    public let account: Int
    /// The address of the account, as it was when the session began.
    public let email: String
    /// The scopes of the API token; nil for a person, who may do what the account may.
    public let scopes: Set<String>?

    enum Key: RequestKey { typealias Value = CurrentUser }
}

extension Request {
    /// The sender of the request; nil for a visitor who has not signed in. A program with an API token is known only to
    /// routes whose guard accepts tokens (``Auth/requireUser(scope:where:)``).
    public var currentUser: CurrentUser? {
        get async throws {
            if let user = self[CurrentUser.Key.self] { return user }
            // Most who read have no session, and need none.
            guard mayHaveSession else { return nil }
            let session = try await session
            guard let account = session[Session.ownerKey].flatMap({ Int($0) }), let email = session[Session.emailKey]
            else { return nil }
            log(accountID: account)
            return CurrentUser(account: account, email: email, scopes: nil)
        }
    }
}

extension Session {
    /// The name of the value with the address of the account.
    static let emailKey = "email"
}
