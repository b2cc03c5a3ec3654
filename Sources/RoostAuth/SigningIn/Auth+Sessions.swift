public import Roost

extension Auth {
    /// The visitor's own sessions, the last used first; none for a visitor who has not signed in.
    public func sessions(of request: Request) async throws -> [OwnedSession] {
        guard let user = try await request.currentUser else { return [] }
        return try await sessions.sessions(of: "\(user.account)")
    }

    /// Ends one of the visitor's own sessions, which may be this one.
    /// - Returns: Whether there was one with this id.
    public func endSession(_ id: String, _ request: Request) async throws -> Bool {
        guard let user = try await request.currentUser else { return false }
        let session = try await request.session
        if session.id == id { session.end() }
        let wasThere = try await sessions.end(id, of: "\(user.account)")
        if wasThere { await record(.sessionEnded, user.account, request) }
        return wasThere
    }

    /// Ends all of the visitor's sessions, with this one.
    public func endAllSessions(_ request: Request) async throws {
        guard let user = try await request.currentUser else { return }
        try await request.session.end()
        try await sessions.endAll(of: "\(user.account)", except: nil)
        await record(.allSessionsEnded, user.account, request)
    }

    /// Returns the last audit events of the visitor's account, the newest first; none if nobody has signed in.
    public func events(of request: Request, limit: Int = 20) async throws -> [AuditEvent] {
        guard let user = try await request.currentUser else { return [] }
        await reports.settle()
        return try await audit.events(of: user.account, limit: limit)
    }
}
