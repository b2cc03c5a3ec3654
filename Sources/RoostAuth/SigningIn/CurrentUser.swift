public import Roost

/// The sender of a request: somebody who has signed in, or a program with an API token.
public struct CurrentUser: Sendable, Equatable {
    /// The id of the account.
    public let account: Int
    /// The address of the account, as it was when the session began.
    public let email: String
    /// The scopes of the API token; nil for a person, who has all of the account's permissions.
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
            let session = try await ownedSession
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

extension Auth {
    /// Returns the visitor's own sessions, the last used first; none for a visitor who has not signed in.
    public func sessions(of request: Request) async throws -> [OwnedSession] {
        guard let user = try await request.currentUser else { return [] }
        return try await sessions.sessions(of: "\(user.account)")
    }

    /// Ends one of the visitor's own sessions, which may be this one.
    /// - Returns: Whether there was one with this id.
    public func endSession(_ id: String, _ request: Request) async throws -> Bool {
        guard let user = try await request.currentUser else { return false }
        let session = try await request.ownedSession
        if session.id == id { session.end() }
        return try await toTheEnd {
            let wasThere = try await sessions.end(id, of: "\(user.account)")
            if wasThere { await record(.sessionEnded, user.account, request) }
            return wasThere
        }
    }

    /// Ends all of the visitor's sessions, including this one.
    public func endAllSessions(_ request: Request) async throws {
        guard let user = try await request.currentUser else { return }
        try await request.ownedSession.end()
        try await toTheEnd {
            try await sessions.endAll(of: "\(user.account)", except: nil)
            await record(.allSessionsEnded, user.account, request)
        }
    }

    /// Returns the last audit events of the visitor's account, the newest first; none if nobody has signed in. It waits
    /// up to a second for events that are still being written.
    /// - Parameter kinds: The kinds to look for; nil for all. Guessing passwords produces any number of failures, so a
    ///   page that also shows other events should request those by kind.
    public func events(
        of request: Request, kinds: Set<AuditEvent.Kind>? = nil, limit: Int = 20
    ) async throws -> [AuditEvent] {
        guard let user = try await request.currentUser else { return [] }
        await reports.settle(within: .seconds(1))
        guard let kinds else { return try await audit.events(of: user.account, limit: max(0, limit)) }
        return try await audit.events(of: user.account, kinds: kinds, limit: max(0, limit))
    }
}
