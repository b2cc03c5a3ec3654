import COpenSSL
import Roost
import RoostTesting
import Testing

@testable import RoostTLS

/// Handshakes in which an authority looks for a proof (RFC 8737), where other clients must show a certificate.
@Suite("Handshakes of authorities", .timeLimit(.minutes(5)))
struct ChallengeHandshakeTests {
    private let site: TLSSite

    init() async throws {
        let own = try TestCertificate("client")
        site = try await TLSSite { settings, folder in
            settings.clientAuthority = folder.write("ca.pem", own.certificate)
        }
        let text = try CertificateRequest.proof(of: "a.test", "token.thumbprint")
        let files = CertificateFiles(certificate: "proof", key: "proof")
        try site.tls.store.prove("a.test", with: CertificatePair(certificate: text, key: text, files))
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `an authority is not asked for a certificate, and gets nothing but the proof`(version: Int32) async throws {
        let options = TLSClient.Options(host: "a.test", protocols: ["acme-tls/1", "http/1.1"], version: version)
        let authority = try await site.connect(options)
        #expect(authority.chosenProtocol == "acme-tls/1" && authority.isFor("a.test"))
        try? await authority.send(request)
        let answer = try await authority.read()
        #expect(answer.bytes.isEmpty && answer.end)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `nobody comes to the site by the session of an authority`(version: Int32) async throws {
        let first = try await site.connect(.init(host: "a.test", protocols: ["acme-tls/1"], version: version))
        _ = try await first.read()
        let client = try await site.client(.init(version: version, session: first.session))
        _ = try await client.connect()
        try? await client.send(request)
        #expect(try await client.read().bytes.isEmpty)
    }
}
