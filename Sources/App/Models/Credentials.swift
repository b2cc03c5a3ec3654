/// An email address and a password as they were typed; neither is empty.
struct Credentials: Sendable, Equatable {
    let email: String
    /// Exactly as typed: spaces belong to a password.
    let password: String

    /// Trims the address, and checks that nothing is missing.
    init(email: String, password: String) throws(MissingCredentials) {
        let email = Self.trimmed(email)
        guard !email.isEmpty, !password.isEmpty else {
            throw MissingCredentials(email: email.isEmpty, password: password.isEmpty)
        }
        self.email = email
        self.password = password
    }

    /// The text without surrounding spaces. It goes byte by byte, since anybody may send a megabyte of them.
    private static func trimmed(_ text: String) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = text.utf8.firstIndex(where: { !isBlank($0) }),
            let last = text.utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }
}

/// The fields of ``Credentials`` that are missing.
struct MissingCredentials: Error, Equatable {
    let email: Bool
    let password: Bool

    var emailMessage: String? { email ? "Email cannot be empty" : nil }
    var passwordMessage: String? { password ? "Password cannot be empty" : nil }
}
