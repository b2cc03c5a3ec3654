import COpenSSL
import Glibc
import RoostHTTPClient
import Synchronization

@testable import Roost
@testable import RoostTLS

/// An authority in the same process, which believes everybody: what it says can be changed.
final class FakeAuthority: Sendable {
    struct State {
        /// The orders that have been begun, and the certificates that have been issued.
        var orders = 0
        var issued = 0
        /// The name that permissions are for, if it is not the one that was ordered.
        var otherName: String?
        /// The kind of problem that an order gets that follows another certificate.
        var refusalOfFollowers: String?
        /// The number of times that a permission is still looked into, and the pause that is asked for meanwhile.
        var lookingInto = 0
        var retryAfter: String?
        /// Whether certificates can be downloaded at present, and the status of orders if it is not their own.
        var hasDownloads = true
        var otherStatus: String?
        /// What is downloaded instead of the certificate.
        var otherDownload: String?
        /// The names of the latest order.
        var names: [String] = []
        var certificate: [UInt8] = []
    }

    let state = Mutex(State())
    static let url = "https://ca.test"
    private let key = try? P256Key()

    var client: HTTPClient {
        HTTPClient { [self] request in
            var headers = Headers()
            headers["Replay-Nonce"] = "n"
            let name = String(request.url.dropFirst(Self.url.count))
            let body = state.withLock { answer(name, Self.payload(of: request), &headers, &$0) }
            let status: HTTPResponse.Status = body.utf8.starts(with: #"{"type""#.utf8) ? .forbidden : .ok
            return .init(status, headers: headers, body: Body(body))
        }
    }

    private struct Signed: Decodable { let payload: String }
    private struct Payload: Decodable {
        var identifiers: [ACMEAuthorization.Identifier]?
        var replaces: String?
        var csr: String?
    }

    private static func payload(of request: HTTPClient.Request) -> Payload? {
        guard case .bytes(let bytes) = request.body.storage,
            let signed = try? JSONCoder().decode(Signed.self, from: bytes)
        else { return nil }
        return Base64.url.bytes(signed.payload.utf8).flatMap { try? JSONCoder().decode(Payload.self, from: $0) }
    }

    private func answer(_ name: String, _ payload: Payload?, _ headers: inout Headers, _ state: inout State) -> String {
        let url = Self.url
        switch name {
        case "/dir":
            return
                #"{"newNonce":"\#(url)/n","newAccount":"\#(url)/a","newOrder":"\#(url)/o","renewalInfo":"\#(url)/r"}"#
        case "/a": headers[.location] = url + "/a/1"
        case "/o":
            if payload?.replaces != nil, let kind = state.refusalOfFollowers {
                return #"{"type":"urn:ietf:params:acme:error:\#(kind)"}"#
            }
            state.orders += 1
            state.names = payload?.identifiers?.map(\.value) ?? []
            state.certificate = []
            headers[.location] = url + "/o/1"
            return order(state)
        case "/o/1": return order(state)
        case "/z":
            let isLookedInto = state.lookingInto > 0
            if isLookedInto { state.lookingInto -= 1 }
            if let pause = state.retryAfter { headers[.retryAfter] = pause }
            let host = state.otherName ?? state.names.first ?? ""
            let challenges = ChallengeMethod.allCases.map {
                #"{"type":"\#($0.rawValue)","url":"\#(url)/c","status":"processing","token":"t"}"#
            }
            return
                #"{"identifier":{"type":"dns","value":"\#(host)"},"status":"\#(isLookedInto ? "pending" : "valid")","#
                + #""challenges":[\#(challenges.joined(separator: ","))]}"#
        case "/f":
            let names = state.names
            state.certificate = payload?.csr.flatMap { Base64.url.bytes($0.utf8) }.map { issue($0, names) } ?? []
            state.issued += 1
            return order(state)
        case "/crt" where !state.hasDownloads: return #"{"type":"urn:ietf:params:acme:error:serverInternal"}"#
        case "/o/gone": return #"{"type":"urn:ietf:params:acme:error:malformed"}"#
        case "/crt": return state.otherDownload ?? String(decoding: state.certificate, as: UTF8.self)
        default: break
        }
        return "{}"
    }

    private func order(_ state: State) -> String {
        let status = state.otherStatus ?? (state.certificate.isEmpty ? "ready" : "valid")
        return #"{"status":"\#(status)","authorizations":["\#(Self.url)/z"],"finalize":"\#(Self.url)/f","#
            + #""certificate":"\#(Self.url)/crt"}"#
    }

    /// The certificate for a request, in PEM.
    private func issue(_ request: [UInt8], _ names: [String]) -> [UInt8] {
        let request = request.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_X509_REQ(nil, &next, bytes.count)
        }
        let certificate = X509_new()
        defer {
            X509_free(certificate)
            X509_REQ_free(request)
        }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...1_000_000))
        X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 89 * 86_400)
        let name = X509_get_issuer_name(certificate)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "A test's authority", -1, -1, 0)
        X509_set_pubkey(certificate, X509_REQ_get0_pubkey(request))
        // The identifier of the authority's key, by which its renewal information knows the certificate, in DER.
        let identifier = ASN1_OCTET_STRING_new()
        ASN1_OCTET_STRING_set(identifier, [0x30, 3, 0x80, 1, 7], 5)
        for part in [
            X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, names.map { "DNS:\($0)" }.joined(separator: ",")),
            X509_EXTENSION_create_by_NID(nil, NID_authority_key_identifier, 0, identifier),
        ] {
            X509_add_ext(certificate, part, -1)
            X509_EXTENSION_free(part)
        }
        ASN1_OCTET_STRING_free(identifier)
        X509_sign(certificate, key?.pointer, EVP_sha256())
        return PEMFile.text { PEM_write_bio_X509($0, certificate) }
    }
}

/// A storage in memory, which may be full.
final class MemoryCertificateStorage: CertificateStorage {
    let texts = Mutex<[String: [UInt8]]>([:])
    let isFull = Mutex(false)
    private let isTaken = Mutex(false)

    func open() {}

    func read(_ name: String) -> [UInt8]? { texts.withLock { $0[name] } }

    func write(_ text: [UInt8], as name: String) async throws {
        try Task.checkCancellation()
        guard !isFull.withLock({ $0 }) else { throw ACMEProblem("The disk is full.") }
        texts.withLock { $0[name] = text }
    }

    func remove(_ name: String) async throws {
        try Task.checkCancellation()
        texts.withLock { $0[name] = nil }
    }

    func alone<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value? {
        let isOther = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        guard !isOther else { return nil }
        defer { isTaken.withLock { $0 = false } }
        return try await work()
    }
}

/// The seconds since 1970, as a test wants them.
final class MovingClock: Sendable {
    let now = Mutex(time(nil))
}
