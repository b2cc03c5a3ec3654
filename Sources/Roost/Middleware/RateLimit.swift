import HTTPTypes
import Synchronization

/// Middleware that allows each client a number of requests in some time; others get 429 Too Many Requests with
/// `Retry-After`.
///
///     routes.group(Path("/api"), middleware: [RateLimit(100, per: .minutes(1))]) { routes in … }
///     RateLimit(5, per: .minutes(1), burst: 2) { $0.headers[.authorization] }
///
/// It is a token bucket: a client may send ``burst`` requests at once, and gets back what it has used at an even rate.
/// By default a client is an IP address (``Request/clientAddress``), or, for IPv6, its /64 network. All clients of one
/// /48 network, which may belong to a single customer, together get as many requests as four clients. So list a proxy
/// in front of the server in `TRUSTED_PROXIES`. With a function of your own, a client is whatever that returns, such as
/// a key; if finding it takes waiting, as for an account, let a ``Provide`` before this do so.
///
/// An unchecked key does not identify a client: somebody who invents a new one for each request has no limit. So place
/// such a limit after the middleware that refuses unknown keys, and a limit by address before that.
///
/// Responses state how much is left, unless they are made from an error thrown through it: `RateLimit` and
/// `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10), and the older `RateLimit-Limit`, `RateLimit-Remaining`
/// and `RateLimit-Reset`, in requests and seconds. With one limit inside another, they are the inner one's.
///
/// Each instance of an application counts by itself, and remembers a limited number of clients: the most recent ones.
public struct RateLimit: Filter {
    private let counter: RateCounter
    private let key: (@Sendable (Request) -> String?)?
    private let time = TimeSource.current

    /// Creates a limit for each client.
    /// - Parameters:
    ///   - limit: The number of requests that a client may send in the time, at least one.
    ///   - time: More than zero.
    ///   - burst: The number that it may send at once; by default `limit`.
    ///   - clients: The most clients that are remembered; each takes about 50 bytes.
    ///   - key: Names the client, such as by an API's key; nil for the address.
    public init(
        _ limit: Int, per time: Duration, burst: Int? = nil, clients: Int = 100_000,
        by key: (@Sendable (Request) -> String?)? = nil
    ) {
        counter = RateCounter(RatePolicy(limit, per: time, burst: burst), clients: clients)
        self.key = key
    }

    /// Lets the request pass if its client has one left.
    /// - Throws: ``HTTPError`` with 429 otherwise.
    public func before(_ request: inout Request) throws -> Response? {
        let client = key?(request)
        if let counted = request[CountedLimits.Key.self], !counted.add(counter, client) { return nil }
        try counter.admit(&request, client, time.instant())
        return nil
    }

    /// Tells how much is left.
    public func after(_ response: inout Response, to request: Request) { counter.tell(&response, request) }
}

/// The limits that have counted a client's request, on whose behalf the server makes others: each counts those of one
/// client once at most.
final class CountedLimits: Sendable {
    enum Key: RequestKey { typealias Value = CountedLimits }

    /// Those of a request that no limit counts.
    static let all = CountedLimits(nil)

    private struct Client: Hashable {
        let counter: ObjectIdentifier
        let key: ExactText?
    }

    /// Those that have counted the client's request itself; nil for all.
    private let first: Set<ObjectIdentifier>?
    private let others = Mutex<Set<Client>>([])

    private init(_ first: Set<ObjectIdentifier>?) { self.first = first }

    /// Begins with those that have counted the client's request.
    convenience init(of request: Request) { self.init(RateCounter.counted(request)) }

    /// Adds a limit, for the key of a client; returns false if it has counted that already.
    func add(_ counter: RateCounter, _ key: String?) -> Bool {
        let client = Client(counter: ObjectIdentifier(counter), key: key.map { ExactText($0) })
        guard let first, !first.contains(client.counter) else { return false }
        return others.withLock { $0.insert(client).inserted }
    }
}
