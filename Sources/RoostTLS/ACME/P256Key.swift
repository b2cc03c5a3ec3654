internal import COpenSSL
import Roost

/// A private key on the curve P-256 (FIPS 186-4 §D.1.2.3): an account's, or a certificate's.
///
/// `@unchecked Sendable`: an `EVP_PKEY` is not changed once it is made, and signing only reads it.
final class P256Key: @unchecked Sendable {
    let pointer: OpaquePointer

    /// A new key.
    init() throws(OpenSSLFailure) {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) > 0,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) > 0,
            EVP_PKEY_keygen(context, &key) > 0, let key
        else { throw .take() }
        pointer = key
    }

    /// The key of a text in PEM; nil if it has none, or one of another kind.
    init?(pem text: [UInt8]) {
        defer { ERR_clear_error() }
        let key = PEMFile.withBIO(text) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
        guard let key else { return nil }
        pointer = key
        // The deinitializer frees a key that is of no use.
        guard EVP_PKEY_get_id(key) == EVP_PKEY_EC, EVP_PKEY_get_bits(key) == 256, point.count == 64 else { return nil }
    }

    deinit { EVP_PKEY_free(pointer) }

    /// The key in PEM.
    var pem: [UInt8] { PEMFile.text { PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) } }

    /// The public key: x and y, 32 bytes each.
    var point: [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = EVP_PKEY_get1_encoded_public_key(pointer, &bytes)
        defer { CRYPTO_free(bytes, #file, #line) }
        // A byte says that both follow (SEC 1 §2.3.3).
        guard let bytes, count == 65, bytes[0] == 4 else { return [] }
        return Array(UnsafeBufferPointer(start: bytes + 1, count: 64))
    }

    /// The signature of a text: r and s, 32 bytes each, as ES256 has it (RFC 7518 §3.4).
    func signature(of text: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var der = [UInt8](repeating: 0, count: 128)
        var count = der.count
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer) > 0,
            EVP_DigestSign(context, &der, &count, text, text.count) > 0
        else { throw .take() }
        let pair = der.withUnsafeBufferPointer { der in
            var next = der.baseAddress
            return d2i_ECDSA_SIG(nil, &next, count)
        }
        defer { ECDSA_SIG_free(pair) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let isWritten = bytes.withUnsafeMutableBufferPointer { bytes in
            BN_bn2binpad(ECDSA_SIG_get0_r(pair), bytes.baseAddress, 32) == 32
                && BN_bn2binpad(ECDSA_SIG_get0_s(pair), bytes.baseAddress.map { $0 + 32 }, 32) == 32
        }
        guard pair != nil, isWritten else { throw .take() }
        return bytes
    }
}

extension PEMFile {
    /// The text that OpenSSL writes.
    static func text(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        guard write(bio) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: max(0, BIO_ctrl_pending(bio)))
        let count = BIO_read(bio, &bytes, Int32(clamping: bytes.count))
        return Array(bytes.prefix(Int(max(0, count))))
    }
}
