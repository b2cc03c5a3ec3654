internal import COpenSSL
import Roost
import RoostHTTPClient

/// One order of a certificate, from beginning to end (RFC 8555 §7.1.6): permissions for its names, proofs, the request,
/// the download.
struct CertificateOrder: Sendable {
    let client: ACMEClient
    let hosts: [String]
    let method: ChallengeMethod
    /// The name of the certificate that this one follows (RFC 9773 §5).
    var replaces: String?
    /// The time that the whole may take.
    var timeout = Duration.seconds(300)
    /// The time for an order that is taken up: another one may follow it under the same lock.
    private static let takingUp = Duration.seconds(60)
    let proofs: Proofs
    let now: @Sendable () -> Int
    let sleep: @Sendable (Duration) async throws -> Void
    /// Called before the authority is asked to issue it, with what is needed to take it up again.
    var willFinish: @Sendable (UnfinishedOrder) async throws -> Void = { _ in }

    /// Orders it.
    /// - Returns: Its key and chain, in PEM.
    func run() async throws -> [UInt8] {
        let deadline = now() + timeout.wholeSeconds
        let directory = try await client.directory()
        let response = try await begin(directory.newOrder, replacing: directory.renewalInfo == nil ? nil : replaces)
        guard let url = response.headers[.location] else { throw ACMEProblem("The authority names no order.") }
        let begun: ACMEOrder = try response.json()
        try await prove(begun.authorizations, until: deadline)

        let ready: ACMEOrder = try await poll(url, until: deadline) { !["pending", "processing"].contains($0.status) }
        let key = try P256Key()
        try check(deadline)
        try await willFinish(
            UnfinishedOrder(url: url, hosts: hosts, key: String(decoding: key.pem, as: UTF8.self), begun: now()))
        return try await finish(url, ready, key, until: deadline)
    }

    /// Takes up an order that may have been finished, by this program or another one.
    /// - Returns: Its key and chain, in PEM; nil if the authority has none for it.
    func takeUp(_ left: UnfinishedOrder) async throws -> [UInt8]? {
        guard let key = P256Key(pem: Array(left.key.utf8)) else { return nil }
        do {
            let order: ACMEOrder = try await client.read(left.url).json()
            guard ["ready", "processing", "valid"].contains(order.status) else { return nil }
            return try await finish(left.url, order, key, until: now() + Self.takingUp.wholeSeconds)
        } catch {
            let mayPass = (error as? ACMEProblem)?.mayPass ?? (error is HTTPClient.Failure)
            if Task.isCancelled || mayPass { throw error }
            return nil
        }
    }

    /// Asks for the certificate if that has not been done, and downloads it.
    private func finish(
        _ url: String, _ order: ACMEOrder, _ key: P256Key, until deadline: Int
    ) async throws -> [UInt8] {
        if order.status == "ready" {
            let request = Base64.url.text(try CertificateRequest.der(for: hosts, key))
            _ = try await client.post(order.finalize, ACMERequests.Finalize(csr: request))
        }
        let done: ACMEOrder = try await poll(url, until: deadline) {
            !["ready", "processing", "pending"].contains($0.status)
        }
        guard done.status == "valid", let certificate = done.certificate else {
            let status = LogText.escaped(done.status)
            throw done.error.map { ACMEProblem($0) } ?? ACMEProblem("The order has become \(status).")
        }
        return key.pem + (try await client.read(certificate).body.bytes)
    }

    private func begin(_ url: String, replacing replaced: String?) async throws -> HTTPClient.Response {
        let identifiers = hosts.map { ACMEAuthorization.Identifier(value: $0) }
        do {
            return try await client.post(url, ACMERequests.NewOrder(identifiers: identifiers, replaces: replaced))
        } catch let problem as ACMEProblem
            where replaced != nil && !["accountDoesNotExist", "badNonce", "rateLimited"].contains(problem.kind)
        {
            // The one before is of another account ("unauthorized", says Let's Encrypt), or has a follower already:
            // this is an order like any other then. What is refused for another reason is refused once more.
            return try await client.post(url, ACMERequests.NewOrder(identifiers: identifiers, replaces: nil))
        }
    }

    // MARK: Proofs

    /// Proves for all names that their server is this one: shows all proofs, has them looked at, and takes them away.
    private func prove(_ urls: [String], until deadline: Int) async throws {
        var shown: [String] = []
        do {
            var waiting: [(url: String, host: String)] = []
            for url in urls {
                try check(deadline)
                let authorization: ACMEAuthorization = try await client.read(url).json()
                let host = authorization.identifier.value.lowercased()
                guard hosts.contains(host) else {
                    throw ACMEProblem("The authority asks for a name that was not ordered.")
                }
                // Others may still be good from an earlier order.
                guard authorization.status == "pending" else { continue }
                guard let challenge = authorization.challenge(method), let token = challenge.token else {
                    throw ACMEProblem("The authority does not offer \(method.rawValue) for \(host).")
                }
                guard ChallengeToken.isValid(token) else { throw ACMEProblem("The authority's token is unusable.") }
                shown.append(token)
                let text = try client.key.authorization(of: token)
                try await proofs.show(Challenge(host: host, token: token, authorization: text, method: method))
                if challenge.status == "pending" { _ = try await client.post(challenge.url, ACMERequests.Ready()) }
                waiting.append((url, host))
            }
            for one in waiting { try await awaitPermission(one.url, one.host, until: deadline) }
        } catch {
            await hide(shown)
            throw error
        }
        await hide(shown)
    }

    private func hide(_ tokens: [String]) async { for token in tokens { await proofs.hide(token) } }

    private func awaitPermission(_ url: String, _ host: String, until deadline: Int) async throws {
        let authorization: ACMEAuthorization = try await poll(url, until: deadline) { $0.status != "pending" }
        guard authorization.status != "valid" else { return }
        let error = authorization.challenges.lazy.compactMap(\.error).first
        throw error.map { ACMEProblem($0, host: host) }
            ?? ACMEProblem("\(host): the permission has become \(LogText.escaped(authorization.status)).")
    }

    // MARK: Waiting

    /// The lock on the storage does not last for ever.
    private func check(_ deadline: Int) throws {
        guard now() <= deadline else {
            throw ACMEProblem("The authority has not come to an end in time.", mayPass: true)
        }
    }

    /// Asks again until something has come to an end, as often as the authority wants to be asked (§7.5.1).
    private func poll<Value: Decodable>(
        _ url: String, until deadline: Int, _ isDone: (Value) -> Bool
    ) async throws -> Value {
        var pause = Duration.milliseconds(250)
        while true {
            let response = try await client.read(url)
            let value: Value = try response.json()
            if isDone(value) { return value }
            // A date may have passed by this machine's clock.
            let wanted = max(RetryAfter.pause(response.headers[.retryAfter], now: now()) ?? pause, pause)
            try check(deadline - wanted.wholeSeconds)
            try await sleep(wanted)
            pause = min(pause * 2, .seconds(5))
        }
    }
}

/// An order that the authority has been asked to finish: whoever has this can have its certificate.
struct UnfinishedOrder: Codable, Sendable {
    let url: String
    let hosts: [String]
    /// The key that the certificate is for, in PEM.
    let key: String
    /// The time at which it was stored, in seconds since 1970.
    let begun: Int

    /// The time after which another one is ordered instead, in seconds: an authority that does not come to an end must
    /// not keep the certificate from being renewed.
    static let age = 86_400
}

/// The proof that an authority asks for.
struct Challenge: Sendable {
    let host, token, authorization: String
    let method: ChallengeMethod
}

/// The name of a challenge, which is part of a URL (RFC 8555 §8.3).
enum ChallengeToken {
    static let folder = "/.well-known/acme-challenge/"

    static func isLetter(_ byte: UInt8) -> Bool { Base64.url.contains(byte) }

    /// Whether a text can be one: letters of base64url, and not too many.
    static func isValid(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy(isLetter)
    }
}

/// The parts that OpenSSL makes for an authority: the request for a certificate, and the certificate of a challenge.
enum CertificateRequest {
    /// A request for a certificate for some hosts (RFC 2986), in DER, signed with the key that it is to be for.
    static func der(for hosts: [String], _ key: P256Key) throws(OpenSSLFailure) -> [UInt8] {
        let request = X509_REQ_new()
        let names = names(hosts)
        defer {
            X509_REQ_free(request)
            X509_EXTENSION_free(names)
        }
        guard request != nil, names != nil, X509_REQ_set_version(request, 0) > 0,
            request_add_extension(request, names) > 0, X509_REQ_set_pubkey(request, key.pointer) > 0,
            X509_REQ_sign(request, key.pointer, EVP_sha256()) > 0
        else { throw .take() }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_REQ(request, &bytes)
        defer { CRYPTO_free(bytes, #file, #line) }
        guard count > 0, let bytes else { throw .take() }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// The certificate, in PEM with its key, that answers a challenge in a handshake (RFC 8737 §3): it signs itself,
    /// and has the hash of the challenge's text.
    static func proof(of host: String, _ authorization: String) throws(OpenSSLFailure) -> [UInt8] {
        let key = try P256Key()
        let certificate = X509_new()
        let names = names([host])
        let hash = hashExtension(SHA256.hash(of: Array(authorization.utf8)))
        defer {
            X509_free(certificate)
            X509_EXTENSION_free(names)
            X509_EXTENSION_free(hash)
        }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 7 * 86_400)
        let name = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "challenge", -1, -1, 0)
        X509_set_issuer_name(certificate, name)
        guard names != nil, hash != nil, X509_set_pubkey(certificate, key.pointer) > 0,
            X509_add_ext(certificate, names, -1) > 0, X509_add_ext(certificate, hash, -1) > 0,
            X509_sign(certificate, key.pointer, EVP_sha256()) > 0
        else { throw .take() }
        return key.pem + PEMFile.text { PEM_write_bio_X509($0, certificate) }
    }

    /// `id-pe-acmeIdentifier`, critical, with the hash as an OCTET STRING of DER in that of the extension.
    private static func hashExtension(_ hash: [UInt8]) -> OpaquePointer? {
        let object = OBJ_txt2obj("1.3.6.1.5.5.7.1.31", 1)
        let value = ASN1_OCTET_STRING_new()
        defer {
            ASN1_OBJECT_free(object)
            ASN1_OCTET_STRING_free(value)
        }
        let der = [0x04, UInt8(hash.count)] + hash
        guard ASN1_OCTET_STRING_set(value, der, Int32(der.count)) > 0 else { return nil }
        return X509_EXTENSION_create_by_OBJ(nil, object, 1, value)
    }

    /// `subjectAltName` (RFC 5280 §4.2.1.6) with names of hosts, each taken as it is.
    private static func names(_ hosts: [String]) -> OpaquePointer? {
        let names = general_names_new()
        defer { general_names_free(names) }
        guard hosts.allSatisfy({ general_names_add_host(names, $0) > 0 }) else { return nil }
        return general_names_extension(names)
    }
}
