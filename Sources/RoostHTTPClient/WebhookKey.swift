public import FoundationEssentials
public import HTTPTypes
public import Roost

/// A secret shared by the sender and the receiver of webhooks, with which the receiver verifies who sent one (Standard
/// Webhooks, standardwebhooks.com).
///
///     let key = try WebhookKey("whsec_…")
///     var headers = key.headers(id: "msg_17", body: json)
///     headers[.contentType] = "application/json"
///     try await http.post(url, body: Body(json), headers: headers)
///     guard key.isValid(request.headers, body: bytes) else { throw HTTPError(.unauthorized) }   // at the receiver
///
///     Webhook-Id         the same for each try, so that the receiver knows a message that it already has
///     Webhook-Timestamp  the time of the try, in seconds since 1970
///     Webhook-Signature  "v1," and the base64 of HMAC-SHA-256 over ID "." TIMESTAMP "." BODY; several, with spaces
public struct WebhookKey: Sendable {
    private let secret: [UInt8]
    private let time = TimeSource.current

    /// Creates a key from its text.
    /// - Parameter secret: `whsec_` and the base64 of 24 to 64 random bytes: `echo whsec_$(openssl rand -base64 32)`.
    /// - Throws: `StartError` for any other text; it does not repeat the secret.
    public init(_ secret: String) throws(StartError) {
        let encoded = secret.utf8.starts(with: "whsec_".utf8) ? secret.utf8.dropFirst(6) : secret.utf8[...]
        guard let bytes = Base64.standard.bytes(encoded), (24...64).contains(bytes.count) else {
            throw .configuration(
                "The secret for webhooks has the wrong form; use what `echo whsec_$(openssl rand -base64 32)` prints.")
        }
        self.secret = bytes
    }

    /// The fields that sign a message.
    /// - Parameters:
    ///   - id: Its id; without a dot, and the same when it is sent again.
    ///   - time: The time of this try; nil for the present time, by the clock with which the key was made.
    public func headers(id: String, at time: Date? = nil, body: [UInt8]) -> Headers {
        let seconds = Int((time ?? self.time.now).timeIntervalSince1970.rounded(.down))
        let code = SHA256.authenticationCode(of: Array("\(id).\(seconds).".utf8) + body, key: secret)
        return [
            .webhookID: id, .webhookTimestamp: "\(seconds)",
            .webhookSignature: "v1,\(Base64.standard.text(code))",
        ]
    }

    /// Returns whether a received message was signed with this key, and recently.
    /// - Parameters:
    ///   - time: The present time; nil for that of the clock with which the key was made.
    ///   - tolerance: The largest allowed difference between its time and the present: an older message may have been
    ///     intercepted and replayed.
    public func isValid(
        _ headers: Headers, body: [UInt8], at time: Date? = nil, tolerance: Duration = .seconds(300)
    ) -> Bool {
        guard let id = headers[.webhookID], let stamp = headers[.webhookTimestamp],
            let signatures = headers[.webhookSignature], let seconds = Int(stamp), (0...1 << 40).contains(seconds),
            !id.utf8.contains(UInt8(ascii: ".")),
            abs((time ?? self.time.now).timeIntervalSince1970 - Double(seconds)) <= Double(tolerance.components.seconds)
        else { return false }
        let code = SHA256.authenticationCode(of: Array("\(id).\(stamp).".utf8) + body, key: secret)
        return signatures.utf8.split(separator: UInt8(ascii: " ")).contains { signature in
            guard signature.starts(with: "v1,".utf8), let other = Base64.standard.bytes(signature.dropFirst(3)) else {
                return false
            }
            return SigningKey.isSame(code, other)
        }
    }
}

extension HTTPField.Name {
    /// `Webhook-Id`: the id of a message, which stays the same when it is sent again.
    public static let webhookID = known("Webhook-Id")
    /// `Webhook-Timestamp`
    package static let webhookTimestamp = known("Webhook-Timestamp")
    /// `Webhook-Signature`
    package static let webhookSignature = known("Webhook-Signature")
}
