public import Roost

extension DatabaseError: ResponseError {
    /// 503 with `Retry-After` when the database is unavailable; nil for a mistake of the program, which becomes a 500.
    public var httpError: HTTPError? {
        guard isUnavailability else { return nil }
        return HTTPError(
            .serviceUnavailable,
            "The data cannot be reached at the moment. Try again soon.",
            headers: [.retryAfter: "\(Self.retryAfter)"]
        )
    }

    /// In seconds: shorter than a person waits, longer than most locks are held.
    private static let retryAfter = 2
}
