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
        guard let key = PEMFile.privateKey(text) else { return nil }
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

/// The key of an account with an authority, which signs all requests to it (RFC 8555 §6.2).
struct AccountKey: Sendable {
    let key: P256Key

    /// The public key as JSON (RFC 7517). Its members are in the order that the thumbprint wants (RFC 7638 §3.2).
    struct PublicKey: Encodable {
        let crv = "P-256"
        let kty = "EC"
        let x, y: String
    }

    /// The beginning of a signed request. It has the public key, or the URL of the account that it belongs to.
    private struct Protected: Encodable {
        let alg = "ES256"
        let jwk: PublicKey?
        let kid: String?
        let nonce, url: String
    }

    /// A request as it is sent (RFC 7515 §7.2.2).
    private struct Signed: Encodable {
        let protected, payload, signature: String
    }

    var publicKey: PublicKey {
        let point = key.point
        return PublicKey(x: Base64.url.text(Array(point.prefix(32))), y: Base64.url.text(Array(point.suffix(32))))
    }

    /// The name that the key has everywhere (RFC 7638).
    var thumbprint: String {
        get throws { Base64.url.text(SHA256.hash(of: try JSONCoder().encode(publicKey))) }
    }

    /// The text that proves that the account's owner runs a server (RFC 8555 §8.1).
    func authorization(of token: String) throws -> String { "\(token).\(try thumbprint)" }

    /// A signed request.
    /// - Parameters:
    ///   - payload: The content; nil for a request that only reads, which has an empty one (RFC 8555 §6.3).
    ///   - account: The URL of the account; nil before there is one.
    func request(_ payload: [UInt8]?, to url: String, nonce: String, account: String?) throws -> [UInt8] {
        let head = Protected(jwk: account == nil ? publicKey : nil, kid: account, nonce: nonce, url: url)
        let protected = Base64.url.text(try JSONCoder().encode(head))
        let payload = Base64.url.text(payload ?? [])
        let signature = try key.signature(of: Array("\(protected).\(payload)".utf8))
        return try JSONCoder().encode(
            Signed(protected: protected, payload: payload, signature: Base64.url.text(signature)))
    }
}
