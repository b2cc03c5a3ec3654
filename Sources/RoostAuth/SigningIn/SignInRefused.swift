import Roost

/// The errors of a sign-in that is refused.
enum SignInRefused {
    /// There is no such pair of address and password, or the account is disabled.
    static func wrong(_ challenge: Headers) -> HTTPError {
        HTTPError(.unauthorized, "Invalid email or password", headers: challenge)
    }

    /// Too many attempts have failed; the next may come after so many seconds.
    static func throttled(seconds: Int) -> HTTPError {
        HTTPError(
            .tooManyRequests,
            "Too many attempts to sign in. Try again in \(seconds) second\(seconds == 1 ? "" : "s").",
            headers: [.retryAfter: "\(seconds)"]
        )
    }
}
