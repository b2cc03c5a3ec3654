/// A secret for signing texts: it proves that a text which a client sends back was issued by this application.
///
///     let signed = key.sign("3", for: "unsubscribe")          // fit for a cookie or a URL
///     key.text(in: signed, for: "unsubscribe")                // "3"; nil if anyone has changed it
///
/// The client can read the text, but cannot change it: the signature is HMAC-SHA-256 (RFC 2104) over the purpose and
/// the text. What was signed for one purpose is worthless for another. A signature does not expire by itself: put a
/// time into the text where that matters.
public struct SigningKey: Sendable {
    /// The least length of a secret, in bytes.
    static let minimumSecretLength = 32

    /// The first signs; all verify.
    private let secrets: [[UInt8]]

    /// Creates a key from secrets that all instances of an application share, and that stay the same after a restart.
    /// - Parameters:
    ///   - secret: At least 32 random bytes, as `openssl rand -base64 32` prints.
    ///   - previous: Older secrets, whose signatures are still accepted after a change of the secret.
    /// - Throws: `StartError` for a secret that is too short.
    public init(_ secret: String, previous: [String] = []) throws(StartError) {
        try self.init([secret] + previous, from: "A secret key")
    }

    /// - Parameter name: The owner of the secrets, for the error.
    private init(_ secrets: [String], from name: String) throws(StartError) {
        for secret in secrets where secret.utf8.count < Self.minimumSecretLength {
            throw StartError.configuration(
                "\(name) has \(secret.utf8.count) bytes; use at least \(Self.minimumSecretLength), "
                    + "as `openssl rand -base64 32` prints."
            )
        }
        self.secrets = secrets.map { Array($0.utf8) }
    }

    private init(secrets: [[UInt8]]) { self.secrets = secrets }

    /// Whether one of its secrets has so few different bytes that it can hardly be random, such as one letter again and
    /// again. Even of 32 random hexadecimal digits, fewer than 8 are different only once in 20 million times.
    package var isGuessable: Bool { secrets.contains { Set($0).count < 8 } }

    /// A new random key. Its signatures are accepted by this process only.
    public static func random() -> SigningKey {
        SigningKey(secrets: [(0..<32).map { _ in UInt8.random(in: .min ... .max) }])
    }

    /// The key of the environment variable `SECRET_KEY`: one secret, or several with commas between them, the newest
    /// first; nil without the variable.
    /// - Throws: `StartError` for a secret that is too short.
    public init?(environment variables: [String: String]) throws(StartError) {
        guard let value = variables["SECRET_KEY"], !value.isEmpty else { return nil }
        let secrets = value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(Substring($0).trimmingBlanks()) }
        try self.init(secrets, from: secrets.count == 1 ? "SECRET_KEY" : "One of the secrets in SECRET_KEY")
    }

    /// The text with its signature, of letters, digits, `-`, `_` and one dot.
    /// - Parameter purpose: The purpose of the text; it is accepted for no other.
    public func sign(_ text: String, for purpose: String) -> String {
        Base64.url.text(Array(text.utf8)) + "." + Base64.url.text(Self.code(text, purpose, secrets[0]))
    }

    /// The text that ``sign(_:for:)`` was given; nil unless it was signed for this purpose with one of the secrets.
    public func text(in signed: String, for purpose: String) -> String? {
        let parts = signed.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = Base64.url.bytes(parts[0]), let code = Base64.url.bytes(parts[1]),
            let text = String(validating: bytes, as: UTF8.self),
            secrets.contains(where: { Self.isSame(code, Self.code(text, purpose, $0)) })
        else { return nil }
        return text
    }

    /// The purpose's length comes first, so that no purpose and text read like two others.
    private static func code(_ text: String, _ purpose: String, _ secret: [UInt8]) -> [UInt8] {
        let length = withUnsafeBytes(of: UInt64(purpose.utf8.count).bigEndian) { Array($0) }
        return SHA256.authenticationCode(of: length + purpose.utf8 + text.utf8, key: secret)
    }

    /// Whether two codes have the same bytes; it takes the same time whichever byte differs.
    package static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
