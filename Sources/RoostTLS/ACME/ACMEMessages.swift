import Roost

// What an authority sends (RFC 8555 §7.1); members that nothing here needs are left out.

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
