import COpenSSL
import Glibc
import RoostHTTPClient
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostTLS

@Suite("The parts of ACME", .timeLimit(.minutes(5)))
struct ACMETests {
    /// The key of RFC 7515 §A.3.1, as SEC 1 writes it.
    private static let key = Array(
        """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
        AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
        focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END EC PRIVATE KEY-----

        """.utf8)

    @Test func `a key's public part and its thumbprint are those of the RFCs`() throws {
        let key = AccountKey(key: try #require(P256Key(pem: Self.key)))
        #expect(key.publicKey.x == "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
        #expect(key.publicKey.y == "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
        // SHA-256 of the members in the order of RFC 7638 §3.2, computed by another program.
        #expect(try key.thumbprint == "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U")
        #expect(try key.authorization(of: "abc").hasPrefix("abc.oKIywvGU"))
        #expect(P256Key(pem: Array("nothing".utf8)) == nil)
        #expect(P256Key(pem: try P256Key().pem) != nil)
    }

    @Test func `a request is signed over its two parts`() throws {
        struct Signed: Decodable { let protected, payload, signature: String }
        let key = try #require(P256Key(pem: Self.key))
        let text = try AccountKey(key: key).request(
            Array("{}".utf8), to: "https://ca.test/x", nonce: "n", account: "https://ca.test/1")
        let signed = try JSONCoder().decode(Signed.self, from: text)
        let head = String(decoding: try #require(Base64.url.bytes(signed.protected.utf8)), as: UTF8.self)
        #expect(
            head == #"{"alg":"ES256","kid":"https://ca.test/1","nonce":"n","url":"https://ca.test/x"}"#)
        let signature = try #require(Base64.url.bytes(signed.signature.utf8))
        #expect(signature.count == 64)
        #expect(Self.verifies(signature, Array("\(signed.protected).\(signed.payload)".utf8), key))
        #expect(!Self.verifies(signature, Array("other".utf8), key))
    }

    private static func verifies(_ signature: [UInt8], _ text: [UInt8], _ key: P256Key) -> Bool {
        let pair = ECDSA_SIG_new()
        defer { ECDSA_SIG_free(pair) }
        ECDSA_SIG_set0(
            pair, BN_bin2bn(Array(signature.prefix(32)), 32, nil), BN_bin2bn(Array(signature.suffix(32)), 32, nil))
        var der = [UInt8](repeating: 0, count: 128)
        let count = der.withUnsafeMutableBufferPointer { der in
            var next = der.baseAddress
            return i2d_ECDSA_SIG(pair, &next)
        }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.pointer)
        return EVP_DigestVerify(context, der, Int(count), text, text.count) == 1
    }

    @Test func `a request for a certificate has its names and a good signature`() throws {
        let der = try CertificateRequest.der(for: ["a.test", "b.test"], try P256Key())
        let request = der.withUnsafeBufferPointer { der in
            var next = der.baseAddress
            return d2i_X509_REQ(nil, &next, der.count)
        }
        defer { X509_REQ_free(request) }
        #expect(X509_REQ_verify(request, X509_REQ_get0_pubkey(request)) == 1)
        let text = PEMFile.text { X509_REQ_print($0, request) }
        #expect(String(decoding: text, as: UTF8.self).contains("DNS:a.test, DNS:b.test"))
    }

    @Test func `a proof has the hash of its text in a critical extension`() throws {
        let text = try CertificateRequest.proof(of: "a.test", "token.thumbprint")
        let files = CertificateFiles(certificate: "proof", key: "proof")
        let pair = try CertificatePair(certificate: text, key: text, files)
        #expect(CertificateFacts.covers(["a.test"], pair))
        let printed = String(decoding: PEMFile.text { X509_print($0, pair.certificate) }, as: UTF8.self)
        #expect(printed.contains("1.3.6.1.5.5.7.1.31: critical"))
        #expect(CertificateFacts(pair).renewalName == nil)
    }

    @Test(arguments: [
        ("7", 7), ("-1", 0), ("99999999999", 864_000), ("Thu, 01 Jan 1970 00:02:00 GMT", 20), ("soon", nil), (nil, nil),
    ])
    func `Retry-After is a number or a date`(value: String?, seconds: Int?) {
        #expect(RetryAfter.pause(value, now: 100) == seconds.map { .seconds($0) })
    }

    @Test func `pauses after failures grow, and the authority's wish holds`() throws {
        #expect([1, 2, 3, 4, 6, 7, 100].map(FailedTries.pause) == [60, 180, 540, 1620, 14_580, 21_600, 21_600])
        var tries = FailedTries()
        tries.add(ACMEProblem("No."), now: 1000)
        #expect(tries.next(chance: 0.5) == 1060)
        #expect(tries.method == .handshake)
        let limited = ACMEProblem.Document(
            type: "urn:ietf:params:acme:error:rateLimited", detail: "Too many.", subproblems: nil)
        tries.add(ACMEProblem(limited), now: 1000)
        #expect(tries.next(chance: 0.5) == 4600)
        tries.add(ACMEProblem(limited, pause: .seconds(90_000)), now: 1000)
        #expect(tries.next(chance: 0) == 91_000)
    }

    @Test func `a problem names each name's reason`() throws {
        let text = """
            {"type": "urn:ietf:params:acme:error:malformed", "detail": "Some of it.", "subproblems": [
              {"type": "urn:ietf:params:acme:error:caa", "detail": "CAA forbids", "identifier":
                {"type": "dns", "value": "a.test"}}]}
            """
        let problem = ACMEProblem(try JSONCoder().decode(ACMEProblem.Document.self, from: Array(text.utf8)))
        #expect(
            problem.description
                == "the authority refuses (Some of it). a.test: a CAA record in the DNS forbids this authority "
                + "(CAA forbids).")
    }

    @Test(arguments: [(503, "the authority has a fault of its own"), (404, "the authority refuses")])
    func `an authority that is down does not refuse`(code: Int, words: String) {
        let response = HTTPClient.Response(.init(code: code), body: Body("<h1>Later</h1>"))
        let problem = ACMEProblem(response, now: 0).description
        #expect(problem.hasPrefix("\(words) (it responded with \(code)"), "\(problem)")
    }

    @Test(arguments: [
        (nil, "the authority does not accept the account, "),
        ("a.test", "a.test: another server has answered the authority; "),
    ])
    func `who is unauthorized is the account, or a name if there is one`(host: String?, words: String) {
        let document = ACMEProblem.Document(
            type: "urn:ietf:params:acme:error:unauthorized", detail: "No.", subproblems: nil)
        let problem = ACMEProblem(document, host: host).description
        #expect(problem.hasPrefix(words) && problem.hasSuffix(" (No)."), "\(problem)")
    }

    @Test func `a renewal is at two thirds, or in the authority's window`() throws {
        let files = CertificateFiles(certificate: "a", key: "a")
        let made = try TestCertificate("a.test", days: 89)
        let facts = CertificateFacts(try CertificatePair(certificate: made.certificate, key: made.key, files))
        let latest = facts.begins + 60 * 86_400
        #expect(RenewalPlan.usual(facts, chance: 0) == latest)
        #expect(RenewalPlan.usual(facts, chance: 1) == latest - 3 * 86_400)
        let window = RenewalInfo.Window(start: "1970-01-01T00:01:40Z", end: "1970-01-01T00:03:20Z")
        #expect([0, 0.5, 1].map { RenewalPlan.suggested(window, chance: $0) } == [100, 150, 200])
        #expect(RenewalPlan.suggested(.init(start: window.end, end: window.start), chance: 0) == nil)
        let response = { HTTPClient.Response(.ok, headers: [.retryAfter: $0]) }
        #expect(["5", "21600", "999999"].map { RenewalInfo.pause(response($0), now: 0) } == [60, 21_600, 86_400])
    }

    @Test func `a nonce that is refused is followed by another, but not for ever`() async throws {
        let refusals = Mutex(3)
        let http = HTTPClient { request in
            var headers: Headers = [.location: "https://ca.test/account/1"]
            headers["Replay-Nonce"] = "n"
            if request.url.hasSuffix("/dir") {
                return try .init(
                    .ok,
                    json: [
                        "newNonce": "https://ca.test/n", "newAccount": "https://ca.test/a",
                        "newOrder": "https://ca.test/o",
                    ])
            }
            guard request.method == .post,
                refusals.withLock({
                    $0 -= 1; return $0 >= 0
                })
            else {
                return .init(.ok, headers: headers)
            }
            return .init(.badRequest, headers: headers, body: Body(#"{"type":"urn:ietf:params:acme:error:badNonce"}"#))
        }
        let client = ACMEClient(
            http, directory: "https://ca.test/dir", key: AccountKey(key: try P256Key()), now: { 0 })
        #expect(try await client.makeAccount(email: nil) == "https://ca.test/account/1")
        refusals.withLock { $0 = 100 }
        await #expect(throws: ACMEProblem.self) { try await client.makeAccount(email: nil) }
        #expect(refusals.withLock { $0 } == 90)
    }
}
