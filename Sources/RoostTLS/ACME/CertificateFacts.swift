internal import COpenSSL
import Glibc
import Roost

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

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int {
        var parts = tm()
        return ASN1_TIME_to_tm(time, &parts) == 1 ? timegm(&parts) : 0
    }
}
