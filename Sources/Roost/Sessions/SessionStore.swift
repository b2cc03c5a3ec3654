/// A store of sessions.
///
/// A store keeps only the hash of a token, so that nobody who reads the store can take over a session.
public protocol SessionStore: Sendable {
    /// The values kept for a token; nil when it is unknown or has expired. Looking it up keeps it alive.
    func values(for token: String) async throws -> [String: String]?
    /// Begins a session: keeps values for a new token.
    func save(_ values: [String: String], for token: String) async throws
    /// Replaces the values of a token that is still known. An unknown token stays unknown: a request that was under way
    /// when its session was ended does not bring the session back.
    func update(_ values: [String: String], for token: String) async throws
    /// Sets some values of a token that is still known, and removes those that are nil. The others stay as they are
    /// stored, where another request may have changed them meanwhile. This is one step: nobody else writes in between.
    /// By default it takes two, reading the values and updating them, which is enough only where a change may be lost.
    func change(_ changes: [String: String?], for token: String) async throws
    /// Moves the values of a token that is still known to a new token, with some changes. This is one step, so that a
    /// session that is ended meanwhile does not go on under its new token. The default implementation is not: it reads
    /// the values, removes the old token and saves the new one.
    /// - Returns: The new values; nil for an unknown token, for which nothing is saved.
    func replace(
        _ token: String, with newToken: String, _ changes: [String: String?]
    ) async throws -> [String: String]?
    /// Forgets a token.
    func remove(_ token: String) async throws
    /// Whether a token is known and has not expired. Unlike ``values(for:)``, asking does not keep it alive: an event
    /// stream and a WebSocket ask every ten seconds, and end with the session that opened them. By default, it asks for
    /// the values.
    func isAlive(_ token: String) async throws -> Bool

    /// Returns the text that the browser keeps from now on as the token of these values; by default, the token itself.
    /// A store that leaves the values with the browser, as ``CookieSessionStore`` does, puts them into the token.
    /// - Parameter token: The token that the request came with, or a new one.
    func cookieValue(of values: [String: String], for token: String) -> String
    /// Whether a text has the form of this store's tokens: 32 hexadecimal digits, by default. For any other text the
    /// store is not asked.
    func isToken(_ text: String) -> Bool
    /// Returns the store for the cookie of a name, before it is used; by default, the store itself. A store that leaves
    /// the values with the browser accepts them in that cookie alone.
    /// - Parameter name: The name that ``Sessions`` was given.
    func forCookie(_ name: String) -> Self
}

extension SessionStore {
    /// Returns the store itself.
    public func forCookie(_ name: String) -> Self { self }

    /// Returns the token itself.
    public func cookieValue(of values: [String: String], for token: String) -> String { token }

    /// Asks for the values, and updates them.
    public func change(_ changes: [String: String?], for token: String) async throws {
        guard var values = try await values(for: token) else { return }
        values.merge(changes)
        try await update(values, for: token)
    }

    /// Asks for the values, removes the old token, and saves the new one.
    public func replace(
        _ token: String, with newToken: String, _ changes: [String: String?]
    ) async throws -> [String: String]? {
        guard var values = try await values(for: token) else { return nil }
        values.merge(changes)
        try await remove(token)
        try await save(values, for: newToken)
        return values
    }

    /// Returns whether there are values for the token.
    public func isAlive(_ token: String) async throws -> Bool { try await values(for: token) != nil }

    /// Returns whether a text is 32 hexadecimal digits in lower case.
    public func isToken(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { $0.count == 32 && $0.allSatisfy(Hexadecimal.isLowercaseDigit) }
    }
}

extension [String: String] {
    /// Sets some values, and removes those that are nil.
    package mutating func merge(_ changes: [String: String?]) {
        for (name, value) in changes { self[name] = value }
    }
}
