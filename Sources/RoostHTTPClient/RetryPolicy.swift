import Glibc
public import HTTPTypes
import Roost

/// The rule by which a call is tried again: how often, after which pause, and for which outcomes.
///
///     let http = HTTPClient(retries: RetryPolicy(tries: 4))
///
/// A call is tried again if the server could not be reached in time, broke the connection, or responded with one of the
/// ``statuses``, as long as the call's timeout allows. A body that is a stream is never sent again. The pause doubles
/// each time and is shortened by chance (full jitter), so that many clients do not come back at once; a `Retry-After`
/// is respected.
public struct RetryPolicy: Sendable {
    /// The most tries, the first one included.
    public var tries: Int
    /// The longest pause before the second try; it doubles with each further one.
    public var pause: Duration
    /// The longest pause of all. A `Retry-After` that is longer ends the tries.
    public var longestPause: Duration
    /// The methods that are tried again; by default the idempotent ones (RFC 9110 §9.2.2), because a server that broke
    /// the connection may already have carried out the request. Add others, such as `POST`, only if a repetition does
    /// no harm: they then share connections as the idempotent ones do.
    public var methods: Set<HTTPRequest.Method>
    /// The statuses after which a call is tried again; by default 429, 502, 503 and 504.
    public var statuses: Set<HTTPResponse.Status>

    /// A policy with these limits.
    public init(
        tries: Int = 3, pause: Duration = .milliseconds(200), longestPause: Duration = .seconds(10),
        methods: Set<HTTPRequest.Method> = [.get, .head, .options, .put, .delete],
        statuses: Set<HTTPResponse.Status> = [.tooManyRequests, .badGateway, .serviceUnavailable, .gatewayTimeout]
    ) {
        self.tries = tries
        self.pause = pause
        self.longestPause = longestPause
        self.methods = methods
        self.statuses = statuses
    }

    /// The pause after a try that ended so; nil when that is the outcome.
    func pause(
        after tried: Int, _ request: HTTPClient.Request, _ outcome: Result<HTTPClient.Response, any Error>
    ) -> Duration? {
        guard tried < tries, methods.contains(request.method), !request.body.isStream else { return nil }
        switch outcome {
        case .failure(let error):
            guard (error as? HTTPClient.Failure)?.isPassing == true else { return nil }
        case .success(let response):
            guard statuses.contains(response.status) else { return nil }
            if let wanted = RetryAfter.pause(response.headers[.retryAfter], now: time(nil)), wanted > .zero {
                return wanted <= longestPause ? wanted : nil
            }
        }
        let longest = min(pause * (1 << min(tried - 1, 20)), longestPause)
        return longest * Double.random(in: 0...1)
    }
}

/// The time for which a server wants to be left alone (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The pause that a field's value means, from nothing to ten days; nil without one.
    /// - Parameter now: The seconds since 1970.
    package static func pause(_ value: String?, now: Int) -> Duration? {
        guard var value else { return nil }
        let number = Int(value)
        let time = value.withUTF8 { HTTPDate.second(of: $0, now: now) }
        guard let seconds = number ?? time.map({ $0 - now }) else { return nil }
        return .seconds(min(max(seconds, 0), 864_000))
    }
}
