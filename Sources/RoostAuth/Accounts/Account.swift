import Roost

/// An account that can sign in.
public struct Account: Sendable, Equatable, Identifiable {
    /// The number of the account, which is never given to another one.
    public let id: Int
    /// The address with which its owner signs in, as it was written when the account was made.
    public let email: String
    /// The account's permissions beyond those of every signed-in user: names that the application chooses.
    public internal(set) var roles: Set<String>
    /// Whether the account can no longer sign in.
    public internal(set) var isDisabled: Bool

    /// The most accounts that a store lists: 10,000.
    public static let maximumListed = 10_000

    /// Creates an account.
    public init(id: Int, email: String, roles: Set<String> = [], isDisabled: Bool = false) {
        self.id = id
        self.email = email
        self.roles = roles
        self.isDisabled = isDisabled
    }

    /// The name of the account as the owner of sessions.
    var owner: String { "\(id)" }
}

/// An account and the hash of its password.
public struct StoredAccount: Sendable, Equatable {
    /// The account.
    public internal(set) var account: Account
    /// The hash of the account's password, a PHC string.
    public internal(set) var passwordHash: String

    /// Creates an account with a hash.
    public init(account: Account, passwordHash: String) {
        self.account = account
        self.passwordHash = passwordHash
    }
}

/// An email address as a person types it.
public struct EmailAddress: Sendable {
    /// The longest possible, in bytes (RFC 5321 §4.5.3.1.3).
    static let maximumLength = 254

    /// The address without surrounding white space.
    public let text: String

    /// Creates an address from a text, without the white space around it (see ``TextRule/trimmed``). Of a text that is
    /// too long for an address, only the first 255 bytes are kept: enough to see that it is too long.
    public init(trimming text: String) {
        self.text = String(decoding: TextRule.trimming(text).utf8.prefix(Self.maximumLength + 1), as: UTF8.self)
    }

    /// The address in small letters, as addresses are compared.
    public var key: String { text.lowercased() }

    /// Whether the text looks like an address of at most 254 bytes: something, one `@`, something, and neither white
    /// space nor control characters.
    package var isPlausible: Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return text.utf8.count <= Self.maximumLength && !text.unicodeScalars.contains(where: Self.isBlank)
            && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
    }

    /// Whether an account may be added with the address: it is plausible, and has no characters that are not
    /// shown (`Default_Ignorable_Code_Point`, or general category Cf), with which it would look like another one.
    var mayBeAdded: Bool { isPlausible && !text.unicodeScalars.contains(where: Self.isHidden) }

    /// Whether a character is not shown.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        TextRule.isWhitespace(scalar) || scalar.properties.generalCategory == .control
    }
}
