import Roost

/// The fields that a form or a program sends to sign in.
public struct SignInInput: Decodable, Sendable {
    /// The address of the account.
    public var email: String?
    /// The password, exactly as typed.
    public var password: String?
    /// The path to go on to.
    public var next: String?

    /// The longest path to go on to, in bytes.
    private static let maximumNextLength = 2048

    /// The path to go on to, if it is one of this site and not too long; nil for anything that could lead elsewhere.
    public var localNext: String? { Self.localPath(next) }

    /// A path from a query or a form, if it is one of this site and not too long.
    public static func localPath(_ text: String?) -> String? {
        guard let text, text.utf8.count <= maximumNextLength else { return nil }
        return LocalPath(text)?.text
    }
}
