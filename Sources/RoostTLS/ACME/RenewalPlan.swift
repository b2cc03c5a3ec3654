import FoundationEssentials
import Roost
import RoostHTTPClient

/// The time at which a certificate is renewed.
enum RenewalPlan {
    /// Two thirds through the certificate's life, or up to a thirtieth of it earlier: so that those that were made
    /// together are not all renewed together.
    /// - Parameter chance: From 0 to 1.
    static func usual(_ facts: CertificateFacts, chance: Double) -> Int {
        facts.begins + facts.life * 2 / 3 - Int(Double(facts.life / 30) * chance)
    }

    /// A time in the window that the authority suggests (RFC 9773 §4.2). It may have passed.
    static func suggested(_ window: RenewalInfo.Window, chance: Double) -> Int? {
        guard let start = DateTime.parse(window.start), let end = DateTime.parse(window.end), start < end else {
            return nil
        }
        let (from, to) = (start.timeIntervalSince1970, end.timeIntervalSince1970)
        return Int(from + (to - from) * chance)
    }

    /// A number from 0 to 1 that belongs to a certificate, so that its time does not change with each look.
    static func chance(_ text: [UInt8]) -> Double { Double(SHA256.hash(of: text)[0]) / 255 }
}

/// An authority's word about the time to renew a certificate (RFC 9773 §4.2).
struct RenewalInfo: Decodable, Sendable {
    struct Window: Decodable, Sendable { let start, end: String }
    let suggestedWindow: Window
    let explanationURL: String?

    /// The time in seconds after which it is asked for again: as the authority says, but at least a minute and at most
    /// a day (§4.3).
    static func pause(_ response: HTTPClient.Response, now: Int) -> Int {
        let wanted = RetryAfter.pause(response.headers[.retryAfter], now: now)?.wholeSeconds ?? usualPause
        return min(max(wanted, 60), 86_400)
    }

    static let usualPause = 6 * 3600
}

/// Tries that have failed, and the time of the next one.
struct FailedTries: Codable, Sendable, Equatable {
    /// The number of failures in a row.
    var count = 0
    /// The time before which the authority does not want to be asked, in seconds since 1970; nil if it has not said.
    var notBefore: Int?
    /// The reason for the latest, and its time.
    var reason: String?
    var time: Int?

    /// The pause after so many failures: a minute, and three times as long each time, up to six hours. Five tries an
    /// hour are what Let's Encrypt allows a name.
    static func pause(after count: Int) -> Int {
        [60, 180, 540, 1620, 4860, 14_580][safe: max(0, count - 1)] ?? 21_600
    }

    mutating func add(_ error: any Error, now: Int) {
        count += 1
        let problem = error as? ACMEProblem
        let wanted = problem?.pause ?? (problem?.kind == "rateLimited" ? .seconds(3600) : nil)
        notBefore = wanted.map { now + $0.wholeSeconds }
        reason = "\(error)"
        time = now
    }

    /// The time of the next try.
    func next(chance: Double) -> Int {
        guard let time else { return 0 }
        let own = time + Int(Double(Self.pause(after: count)) * (0.9 + 0.2 * chance))
        return max(own, notBefore ?? 0)
    }

    /// The way to prove who runs the server: another one after each failure.
    var method: ChallengeMethod { count.isMultiple(of: 2) ? .http : .handshake }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
