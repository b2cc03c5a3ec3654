import CoreMetrics
import HTTPTypes
import Synchronization

/// The requests that each client has left, for as many clients as it may remember.
///
/// Clients are in two generations. One that comes is in the new generation; when that has half of all clients, it
/// becomes the old one, and the old one is forgotten. So only clients that have not come for long are forgotten, in no
/// time, and memory is bounded. A client is its hash: however long a key is, and whatever is sent as one, it takes 16
/// bytes. Swift's hashes have a random key in each process, so nobody can look for one that is equal to another's.
final class RateCounter: Sendable {
    private let policy: RatePolicy
    /// The policy of a customer's whole site of version 6: as much as four of its networks may send.
    private let sitePolicy: RatePolicy
    private let half: Int
    private let start = ContinuousClock.now
    private let policyField: String
    private let state = Mutex(State())
    private let refusals = Counter(label: "roost_rate_limit_refusals_total")

    private struct State {
        var new: [Int: Int] = [:]
        var old: [Int: Int] = [:]

        /// The time at which a client's bucket is full.
        func full(_ client: Int, _ now: Int) -> Int { new[client] ?? old[client] ?? now }

        /// - Parameter half: The number of clients in a generation.
        mutating func note(_ client: Int, _ full: Int, _ half: Int) {
            if new.count >= half, new[client] == nil {
                old = new
                new = [:]
            }
            new[client] = full
        }
    }

    /// The key of what a request's client has left: by each of the limits, which may be one inside another.
    private enum Standings: RequestKey { typealias Value = [ObjectIdentifier: RatePolicy.Standing] }

    init(_ policy: RatePolicy, clients: Int) {
        self.policy = policy
        sitePolicy = policy.times(4)
        half = max(1, clients / 2)
        let burst = policy.burst == policy.limit ? "" : ";burst=\(policy.burst)"
        policyField = "\"default\";q=\(policy.limit);w=\(policy.time.wholeSeconds)\(burst)"
    }

    /// The number of clients that it remembers.
    var count: Int { state.withLock { $0.new.count + $0.old.count } }

    /// Counts a request.
    /// - Parameter key: The name of its client; nil for its address.
    /// - Throws: ``HTTPError`` with 429 when the client has no request left.
    func admit(_ request: inout Request, _ key: String?, _ now: ContinuousClock.Instant) throws(HTTPError) {
        let nanoseconds = Int(clamping: start.duration(to: now).attoseconds / 1_000_000_000)
        let standing = count(Self.client(request, key), key == nil ? Self.site(request) : nil, nanoseconds)
        guard standing.wait == 0 else {
            refusals.increment()
            let seconds = Duration.nanoseconds(standing.wait).wholeSeconds
            var headers: Headers = [.retryAfter: "\(seconds)"]
            tell(&headers, standing, nanoseconds)
            throw HTTPError(.tooManyRequests, Sentence.tooManyRequests(seconds: seconds), headers: headers)
        }
        var standings = request[Standings.self] ?? [:]
        standings[ObjectIdentifier(self)] = RatePolicy.Standing(
            remaining: standing.remaining, full: standing.full - nanoseconds, wait: 0)
        request[Standings.self] = standings
    }

    /// The counters that have counted a request.
    static func counted(_ request: Request) -> Set<ObjectIdentifier> { Set((request[Standings.self] ?? [:]).keys) }

    /// Tells how much is left, unless a limit inside this one has.
    func tell(_ response: inout Response, _ request: Request) {
        guard let standing = request[Standings.self]?[ObjectIdentifier(self)], !response.headers.contains(.rateLimit)
        else { return }
        tell(&response.headers, standing, 0)
    }

    private func tell(_ headers: inout Headers, _ standing: RatePolicy.Standing, _ now: Int) {
        let reset = max(1, Duration.nanoseconds(standing.full - now).wholeSeconds)
        headers.append(.rateLimitPolicy, policyField)
        headers.append(.rateLimit, "\"default\";r=\(standing.remaining);t=\(reset)")
        headers.append(.rateLimitLimit, "\(policy.burst)")
        headers.append(.rateLimitRemaining, "\(standing.remaining)")
        headers.append(.rateLimitReset, "\(reset)")
    }

    /// - Parameter site: The site around the client's network; nil without one.
    private func count(_ client: Int, _ site: Int?, _ now: Int) -> RatePolicy.Standing {
        state.withLock { state in
            let full = state.full(client, now)
            let own = policy.request(full: full, now: now)
            guard let site else {
                state.note(client, own.full, half)
                return own
            }
            let siteFull = state.full(site, now)
            let whole = sitePolicy.request(full: siteFull, now: now)
            // A request that one of them refuses uses nothing up of the other.
            let isAdmitted = own.wait == 0 && whole.wait == 0
            // What a used-up site refuses tells nothing of its clients, who could push others out.
            if isAdmitted || own.wait > 0 { state.note(client, isAdmitted ? own.full : full, half) }
            state.note(site, isAdmitted ? whole.full : siteFull, half)
            return (whole.wait, own.remaining) > (own.wait, whole.remaining) ? whole : own
        }
    }

    private static func client(_ request: Request, _ key: String?) -> Int {
        var hasher = Hasher()
        if let key {
            hasher.combine(ExactText(key))
        } else if let network = request.clientNetwork {
            hasher.combine(network)
        }
        return hasher.finalize()
    }

    private static func site(_ request: Request) -> Int? { request.clientSite?.hashValue }
}

extension HTTPField.Name {
    static let rateLimit = known("RateLimit")
    static let rateLimitPolicy = known("RateLimit-Policy")
    static let rateLimitLimit = known("RateLimit-Limit")
    static let rateLimitRemaining = known("RateLimit-Remaining")
    static let rateLimitReset = known("RateLimit-Reset")
}

/// A token bucket as numbers: what a client may still send follows from one time, at which its bucket will be full
/// again. (ATM's generic cell rate algorithm, ITU-T I.371: the theoretical arrival time.)
struct RatePolicy: Sendable {
    let limit: Int
    /// The number of requests that may come at once.
    let burst: Int
    let time: Duration
    /// The time after which a client gets one request back, in nanoseconds.
    private let interval: Int

    /// The state of a client's bucket, with times in nanoseconds.
    struct Standing: Sendable, Equatable {
        /// The number of further requests that it may send now.
        let remaining: Int
        /// The time at which its bucket is full.
        let full: Int
        /// The time that it has to wait, if it may not send this one; otherwise 0.
        let wait: Int
    }

    init(_ limit: Int, per time: Duration, burst: Int? = nil) {
        self.limit = max(1, limit)
        self.burst = max(1, burst ?? limit)
        self.time = max(.milliseconds(1), time)
        let nanoseconds = self.time.attoseconds / 1_000_000_000
        interval = max(1, Int(clamping: min(nanoseconds, 1 << 58) / Int128(self.limit)))
    }

    /// The policy of several clients together.
    func times(_ count: Int) -> RatePolicy {
        func product(_ number: Int) -> Int { Int(clamping: Int128(number) * Int128(count)) }
        return RatePolicy(product(limit), per: time, burst: product(burst))
    }

    /// A client that sends a request now.
    /// - Parameters:
    ///   - full: The time at which its bucket is full; a time that has passed means that it is.
    ///   - now: In nanoseconds since some time.
    func request(full: Int, now: Int) -> Standing {
        let (size, isLarge) = interval.multipliedReportingOverflow(by: burst)
        let capacity = isLarge ? 1 << 62 : min(size, 1 << 62)
        let missing = max(0, full - now)
        let after = missing + interval
        guard after <= capacity else { return Standing(remaining: 0, full: full, wait: after - capacity) }
        return Standing(remaining: (capacity - after) / interval, full: now + after, wait: 0)
    }
}
