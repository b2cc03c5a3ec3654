import Roost

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
