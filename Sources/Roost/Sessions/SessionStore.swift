/// Where sessions are kept.
public protocol SessionStore: Sendable {
    /// The values kept for a token; nil when it is unknown or has expired. Looking it up keeps it alive.
    func values(for token: String) async throws -> [String: String]?
    /// Begins a session: keeps values for a new token.
    func save(_ values: [String: String], for token: String) async throws
    /// Replaces the values of a token that is still known. An unknown token stays unknown: a request that was under way
    /// when its session was ended does not bring the session back.
    func update(_ values: [String: String], for token: String) async throws
    /// Forgets a token.
    func remove(_ token: String) async throws
}
