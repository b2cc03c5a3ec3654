/// The words by which the pages of development know secrets: values that nobody else should read, even on a shared
/// screen.
package enum SecretWords {
    /// The text that is shown in place of a secret.
    package static let mask = "••••••"

    private static let all = [
        "auth", "cookie", "token", "secret", "passw", "key", "session", "csrf", "signature", "code", "hash", "factor",
        "payload", "credential", "otp", "nonce", "digest", "verif", "invit",
    ]

    /// Whether a text has such a word in any case: the name of a value, or a statement.
    package static func areIn(_ text: String) -> Bool {
        let text = text.lowercased()
        return all.contains { text.contains($0) }
    }
}
