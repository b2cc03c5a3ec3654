import COpenSSL
import Glibc
import RoostTLS

/// A certificate that signs itself, or that an authority has issued, with its key, in PEM.
struct TestCertificate {
    let certificate: [UInt8]
    let key: [UInt8]

    /// - Parameters:
    ///   - days: The time until it expires.
    ///   - isAuthority: Whether it may issue others.
    ///   - issuer: The authority that has issued it; nil for itself.
    init(_ host: String, days: Int = 30, isAuthority: Bool = false, issuer: TestCertificate? = nil) throws {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        EVP_PKEY_keygen_init(context)
        EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
        EVP_PKEY_keygen(context, &key)
        defer { EVP_PKEY_free(key) }

        let certificate = X509_new()
        defer { X509_free(certificate) }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...1_000_000))
        X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400 * days)
        X509_set_pubkey(certificate, key)
        let name = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, host, -1, -1, 0)
        let authority = Self.reading(issuer?.certificate) { PEM_read_bio_X509($0, nil, nil, nil) }
        let signer = Self.reading(issuer?.key) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
        defer {
            X509_free(authority)
            EVP_PKEY_free(signer)
        }
        X509_set_issuer_name(certificate, authority.flatMap { X509_get_subject_name($0) } ?? name)
        if isAuthority {
            let constraints = X509V3_EXT_conf_nid(nil, nil, NID_basic_constraints, "critical,CA:TRUE")
            X509_add_ext(certificate, constraints, -1)
            X509_EXTENSION_free(constraints)
        }
        let names = X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, "DNS:\(host),DNS:*.\(host)")
        X509_add_ext(certificate, names, -1)
        X509_EXTENSION_free(names)
        X509_sign(certificate, signer ?? key, EVP_sha256())

        self.certificate = Self.text { PEM_write_bio_X509($0, certificate) }
        self.key = Self.text { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    /// The key, encrypted with a password.
    static func encrypted(_ text: [UInt8]) -> [UInt8] {
        let key = reading(text) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
        defer { EVP_PKEY_free(key) }
        return Self.text { PEM_write_bio_PKCS8PrivateKey($0, key, EVP_aes_256_cbc(), "password", 8, nil, nil) }
    }

    private static func reading(_ text: [UInt8]?, _ read: (OpaquePointer?) -> OpaquePointer?) -> OpaquePointer? {
        guard let text else { return nil }
        let bio = BIO_new_mem_buf(text, Int32(text.count))
        defer { BIO_free(bio) }
        return read(bio)
    }

    private static func text(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        _ = write(bio)
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = BIO_read(bio, &bytes, 8192)
        return Array(bytes.prefix(Int(max(0, count))))
    }
}

/// A folder with certificates, which is removed with the object.
final class CertificateFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/roost-tls-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { template in
            template.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
        }
    }

    deinit {
        for name in ["a.pem", "a.key", "b.pem", "b.key", "ca.pem", "file"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    func files(_ name: String) -> CertificateFiles {
        CertificateFiles(certificate: "\(path)/\(name).pem", key: "\(path)/\(name).key")
    }

    @discardableResult
    func write(_ name: String, _ certificate: TestCertificate) -> CertificateFiles {
        write("\(name).pem", certificate.certificate)
        write("\(name).key", certificate.key)
        return files(name)
    }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) -> String {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = Glibc.write(file, bytes, bytes.count)
        close(file)
        return "\(path)/\(name)"
    }
}
