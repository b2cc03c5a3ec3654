/// Where sessions are kept.
public protocol SessionStore: Sendable {
    /// The values kept for a token, nil when it is unknown or has expired. Finding it keeps it alive.
    func values(for token: String) async throws -> [String: String]?
    /// Keeps values for a token.
    func save(_ values: [String: String], for token: String) async throws
    /// Forgets a token.
    func remove(_ token: String) async throws
}
