public import Roost

extension DatabaseError: ResponseError {
    /// 503 with `Retry-After` when the database is unavailable; nil for a mistake of the program, which becomes a 500.
    /// No `Retry-After` is sent where a change may have taken effect, since to repeat it might make it twice.
    public var httpError: HTTPError? {
        guard isUnavailability else { return nil }
        if case .outcomeUnknown = self {
            return HTTPError(
                .serviceUnavailable, "This may have been done, or not. Look before you try again.")
        }
        return HTTPError(
            .serviceUnavailable,
            "The data cannot be reached at the moment. Try again soon.",
            headers: [.retryAfter: "\(Self.retryAfter)"]
        )
    }

    /// In seconds: shorter than a person waits, longer than most locks are held.
    private static let retryAfter = 2
}
