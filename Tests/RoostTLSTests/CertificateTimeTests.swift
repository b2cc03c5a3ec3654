import COpenSSL
import RoostTesting
import Testing

@testable import RoostTLS

@Suite("Times of certificates", .timeLimit(.minutes(5)))
struct CertificateTimeTests {
    private static let early = "error A certificate is not valid before "
    private static let late = "error A certificate has expired: browsers refuse it."

    /// The certificate, signed anew, from tomorrow on.
    private static func tomorrow(_ made: TestCertificate) -> [UInt8] {
        let certificate = PEMFile.withBIO(made.certificate) { PEM_read_bio_X509($0, nil, nil, nil) }
        let key = PEMFile.privateKey(made.key)
        let bio = BIO_new(BIO_s_mem())
        defer {
            X509_free(certificate)
            EVP_PKEY_free(key)
            BIO_free(bio)
        }
        X509_gmtime_adj(X509_getm_notBefore(certificate), 86_400)
        X509_sign(certificate, key, EVP_sha256())
        PEM_write_bio_X509(bio, certificate)
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = BIO_read(bio, &bytes, 8192)
        return Array(bytes.prefix(Int(max(0, count))))
    }

    @Test func `a certificate that is not valid yet is an error at the start, and at each reading`() async throws {
        let made = try TestCertificate("localhost")
        let site = try await TLSSite { _, folder in
            folder.write("a", made)
            folder.write("a.pem", Self.tomorrow(made))
        }
        #expect(site.log.allWithLevels.count { $0.hasPrefix(Self.early) } == 1)
        site.tls.reloadIfChanged(isAsked: true)
        #expect(site.log.allWithLevels.count { $0.hasPrefix(Self.early) } == 2)
        site.folder.write("a", try TestCertificate("localhost"))
        site.tls.reloadIfChanged(isAsked: true)
        #expect(site.log.allWithLevels.count { $0.hasPrefix(Self.early) } == 2)
    }

    @Test func `a check tells of a certificate that browsers refuse`() throws {
        func told(_ write: (CertificateFolder) -> Void) throws -> [String] {
            let folder = try CertificateFolder()
            write(folder)
            var settings = TLSSettings()
            settings.port = 0
            settings.certificates = [folder.files("a")]
            let log = LogLines()
            try TLS(settings, logger: log.logger).checkStart()
            return log.allWithLevels
        }
        let (good, old) = (try TestCertificate("localhost"), try TestCertificate("localhost", days: -1))
        #expect(try told { $0.write("a", good) } == [])
        #expect(try told { $0.write("a", old) } == [Self.late])
        let early = try told { folder in
            folder.write("a", good)
            folder.write("a.pem", Self.tomorrow(good))
        }
        #expect(early.count == 1 && early[0].hasPrefix(Self.early))
    }

    @Test func `of several certificates, the log names the one that browsers refuse`() throws {
        let folder = try CertificateFolder()
        var settings = TLSSettings()
        settings.port = 0
        settings.certificates = [
            folder.write("a", try TestCertificate("localhost")),
            folder.write("b", try TestCertificate("localhost", days: -1)),
        ]
        let log = LogLines()
        try TLS(settings, logger: log.logger).checkStart()
        let sentence = "error The certificate in \(folder.path)/b.pem has expired: browsers refuse it."
        #expect(log.allWithLevels == [sentence])
    }
}
