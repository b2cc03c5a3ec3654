internal import COpenSSL
import Roost

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
