/// Where sessions are kept.
public protocol SessionStore: Sendable {
    /// The values kept for a token, nil when it is unknown or has expired. Finding it keeps it alive.
    func values(for token: String) async throws -> [String: String]?
    /// Begins a session: keeps values for a new token.
    func save(_ values: [String: String], for token: String) async throws
    /// Keeps other values for a token that is still known. One that is not stays so: a request that was on its way when
    /// its session was ended does not bring it back.
    func update(_ values: [String: String], for token: String) async throws
    /// Forgets a token.
    func remove(_ token: String) async throws
}
