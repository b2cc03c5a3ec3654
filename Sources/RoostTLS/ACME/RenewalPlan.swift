internal import COpenSSL
import FoundationEssentials
import Glibc
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
        (1..<max(1, min(count, 8))).reduce(60) { pause, _ in min(pause * 3, 21_600) }
    }

    mutating func add(_ error: any Error, now: Int) {
        // A stored number may be any.
        count = min(max(count, 0), 1000) + 1
        let problem = error as? ACMEProblem
        let wanted = problem?.pause ?? (problem?.kind == "rateLimited" ? .seconds(3600) : nil)
        notBefore = wanted.map { now + $0.wholeSeconds }
        reason = "\(error)"
        time = now
    }

    /// The tries without a time that no authority can have named: a pause has at most ten days (``RetryAfter``).
    func believable(at now: Int) -> FailedTries {
        guard let notBefore, notBefore > now + 864_000 else { return self }
        var tries = self
        tries.notBefore = nil
        return tries
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

/// The parts of a certificate that its renewal depends on.
struct CertificateFacts: Sendable, Equatable {
    /// The certificate's time, in seconds since 1970.
    let begins, expires: Int
    /// The name of the authority.
    let issuer: String
    /// The name by which the authority's renewal information knows it (RFC 9773 §4.1): the identifier of the
    /// authority's key, and the serial number. nil without such an identifier.
    let renewalName: String?

    init(_ pair: CertificatePair) { self.init(pair.certificate) }

    init(_ certificate: OpaquePointer) {
        begins = Self.seconds(X509_get0_notBefore(certificate))
        expires = Self.seconds(X509_get0_notAfter(certificate))
        var name = [CChar](repeating: 0, count: 256)
        X509_NAME_oneline(X509_get_issuer_name(certificate), &name, Int32(name.count))
        issuer = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        renewalName = Self.renewalName(certificate)
    }

    /// The length of the certificate's time, in seconds.
    var life: Int { max(0, expires - begins) }

    /// The sentence on a certificate that has expired or is not valid yet; nil for any other.
    /// - Parameter subject: The certificate, as a sentence begins with it.
    func fault(of subject: String, at now: Int) -> String? {
        if expires < now { return "\(subject) has expired: browsers refuse it." }
        guard begins > now else { return nil }
        return "\(subject) is not valid before \(HTTPDate.string(begins)): browsers refuse it, or this clock is behind."
    }

    /// Whether a certificate is for all of some hosts.
    static func covers(_ hosts: [String], _ pair: CertificatePair) -> Bool {
        hosts.allSatisfy { X509_check_host(pair.certificate, $0, 0, 0, nil) == 1 }
    }

    private static func renewalName(_ certificate: OpaquePointer) -> String? {
        guard let identifier = X509_get0_authority_key_id(certificate).map(bytes) else { return nil }
        var der: UnsafeMutablePointer<UInt8>?
        // With a byte for the type and one for the length; a serial number has at most 20 bytes (RFC 5280 §4.1.2.2).
        let count = Int(i2d_ASN1_INTEGER(X509_get0_serialNumber(certificate), &der))
        defer { CRYPTO_free(der, #file, #line) }
        guard let der, count > 2, !identifier.isEmpty else { return nil }
        let serial = Array(UnsafeBufferPointer(start: der + 2, count: count - 2))
        return "\(Base64.url.text(identifier)).\(Base64.url.text(serial))"
    }

    private static func bytes(_ string: UnsafePointer<ASN1_OCTET_STRING>) -> [UInt8] {
        Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
    }

    /// A time of a certificate in seconds since 1970; 0 for none.
    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int {
        var parts = tm()
        return ASN1_TIME_to_tm(time, &parts) == 1 ? timegm(&parts) : 0
    }
}
