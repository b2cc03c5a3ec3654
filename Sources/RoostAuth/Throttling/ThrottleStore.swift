/// A store of the failures of sign-ins: a history for each key.
public protocol ThrottleStore: Sendable {
    /// The histories under some keys.
    func histories(_ keys: [String]) async throws -> [FailureHistory]
    /// Replaces the histories under some keys, with nobody else's change in between.
    /// - Returns: The value that the change returns.
    func update<Value: Sendable>(
        _ keys: [String], at now: Int, _ change: @escaping @Sendable (inout [FailureHistory]) -> Value
    ) async throws -> Value
}
