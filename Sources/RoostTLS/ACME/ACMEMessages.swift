import HTTPTypes
import Roost
import RoostHTTPClient

// The messages of an authority (RFC 8555 §7.1); members that nothing here needs are left out.

/// The URLs of an authority (§7.1.1).
struct ACMEDirectory: Decodable, Sendable {
    let newNonce, newAccount, newOrder: String
    /// The URL under which it says when to renew a certificate (RFC 9773 §4); nil if it does not.
    let renewalInfo: String?
}

/// An order of a certificate (§7.1.3).
struct ACMEOrder: Decodable, Sendable {
    let status: String
    let authorizations: [String]
    let finalize: String
    let certificate: String?
    let error: ACMEProblem.Document?
}

/// The permission to have certificates for a name (§7.1.4).
struct ACMEAuthorization: Decodable, Sendable {
    struct Identifier: Codable, Sendable {
        var type = "dns"
        let value: String
    }

    /// A way to prove who runs the server of the name (§8).
    struct Challenge: Decodable, Sendable {
        let type, url, status: String
        let token: String?
        let error: ACMEProblem.Document?
    }

    let identifier: Identifier
    let status: String
    let challenges: [Challenge]

    func challenge(_ method: ChallengeMethod) -> Challenge? { challenges.first { $0.type == method.rawValue } }
}

/// The ways to prove who runs a server that need nothing but the server.
enum ChallengeMethod: String, Sendable, CaseIterable {
    /// A file at port 80 (RFC 8555 §8.3).
    case http = "http-01"
    /// A certificate at port 443 (RFC 8737).
    case handshake = "tls-alpn-01"
}

/// The messages that are sent to an authority.
enum ACMERequests {
    /// §7.3
    struct NewAccount: Encodable {
        let contact: [String]?
        let termsOfServiceAgreed = true
    }

    /// §7.4, and RFC 9773 §5
    struct NewOrder: Encodable {
        let identifiers: [ACMEAuthorization.Identifier]
        let replaces: String?
    }

    /// §7.4
    struct Finalize: Encodable { let csr: String }

    /// §7.5.1
    struct Ready: Encodable {}
}

/// The refusal of an authority, in its own words and in plain ones (RFC 8555 §6.7).
struct ACMEProblem: Error, Sendable, CustomStringConvertible {
    /// The refusal as it is sent (RFC 9457).
    struct Document: Decodable, Sendable {
        let type: String?
        let detail: String?
        let subproblems: [Subproblem]?
    }

    /// The part of a refusal that is about one name (§6.7.1).
    struct Subproblem: Decodable, Sendable {
        let type: String?
        let detail: String?
        let identifier: ACMEAuthorization.Identifier?
    }

    /// The last part of its type: `rateLimited`.
    let kind: String
    /// The time for which the authority wants to be left alone; nil if it does not say.
    let pause: Duration?
    /// Whether the same request may succeed later.
    let mayPass: Bool
    /// A sentence.
    let description: String

    /// - Parameter mayPass: Whether the status says that the same request may succeed later.
    init(_ document: Document, pause: Duration? = nil, host: String? = nil, mayPass: Bool = false) {
        kind = Self.kind(document.type)
        self.pause = pause
        self.mayPass = mayPass || pause != nil || ["rateLimited", "serverInternal"].contains(kind)
        var parts = [Self.sentence(kind, document.detail, host)]
        for part in document.subproblems ?? [] {
            parts.append(Self.sentence(Self.kind(part.type), part.detail, part.identifier?.value))
        }
        description = parts.joined(separator: " ")
    }

    /// The refusal in a response that has no success.
    init(_ response: HTTPClient.Response, now: Int) {
        let document: Document? = try? response.json()
        let usual = response.status.kind == .serverError ? "serverInternal" : nil
        let said = Document(
            type: document?.type ?? usual, detail: document?.detail ?? "it responded with \(response.status)",
            subproblems: document?.subproblems)
        self.init(
            said, pause: RetryAfter.pause(response.headers[.retryAfter], now: now),
            mayPass: response.status.kind == .serverError || response.status == .tooManyRequests)
    }

    /// A problem that this program has found itself.
    init(_ sentence: String, mayPass: Bool = false) {
        kind = ""
        pause = nil
        self.mayPass = mayPass
        description = sentence
    }

    private static func kind(_ type: String?) -> String {
        let prefix = "urn:ietf:params:acme:error:"
        return type.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 } ?? ""
    }

    private static func sentence(_ kind: String, _ detail: String?, _ host: String?) -> String {
        let name = host.map { "\(LogText.escaped($0)): " } ?? ""
        let ofAccount = host == nil && kind == "unauthorized" ? refusedAccount : nil
        let words = ofAccount ?? plainWords[kind] ?? "the authority refuses"
        guard let detail, !detail.isEmpty else { return "\(name)\(words)." }
        let said = LogText.escaped(String(decoding: detail.utf8.prefix(500), as: UTF8.self))
        return "\(name)\(words) (\(said.utf8.last == UInt8(ascii: ".") ? String(said.dropLast()) : said))."
    }

    /// The words for a request that is about no name (§7.3.6).
    private static let refusedAccount =
        "the authority does not accept the account, which may have been deactivated; if it has been, remove it from "
        + "where the certificates are kept (its name ends in account.json), and the next order makes a new one"

    /// The kinds of problem that people can do something about (§6.7).
    private static let plainWords = [
        "connection": "the authority could not reach this server; the name must lead here, and the ports 80 and 443 "
            + "must be open",
        "dns": "the name has no address that leads here in the DNS",
        "unauthorized": "another server has answered the authority; the name must lead to this one alone",
        "incorrectResponse": "another server has answered the authority; the name must lead to this one alone",
        "tls": "the authority could not shake hands with this server",
        "caa": "a CAA record in the DNS forbids this authority",
        "rateLimited": "the authority has had too many requests for this name or from here",
        "rejectedIdentifier": "the authority gives no certificates for this name",
        "unsupportedIdentifier": "the authority gives no certificates for names of this kind",
        "invalidContact": "the authority does not take the address in ACME_EMAIL",
        "unsupportedContact": "the authority does not take the address in ACME_EMAIL",
        "externalAccountRequired": "the authority wants accounts that are made elsewhere; use another ACME_DIRECTORY",
        "userActionRequired": "the authority wants somebody to do something",
        "serverInternal": "the authority has a fault of its own",
    ]
}
