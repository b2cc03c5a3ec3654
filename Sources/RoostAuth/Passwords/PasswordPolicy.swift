/// The passwords that an account may have: long enough, not among the most common ones, and not its own address. What
/// they are made of does not matter (ASVS 5.0, 6.2.5), and no character is changed or dropped.
public struct PasswordPolicy: Sendable {
    /// The least number of characters (Unicode scalars); at least 8 (ASVS 5.0, 6.2.1).
    public let minimumLength: Int
    /// The greatest number of characters: beyond that, hashing would be work for an attacker's benefit.
    public static let maximumLength = 1024

    /// A policy.
    public init(minimumLength: Int = 8) {
        self.minimumLength = min(max(8, minimumLength), Self.maximumLength)
    }

    /// Checks a password that somebody wants to have.
    /// - Parameter email: The address of the account, if it is known. Neither it nor its part before the `@` may be the
    ///   password, in capital letters or not: they are what everybody tries first (ASVS 5.0, 6.2.11).
    public func check(_ password: String, of email: String? = nil) throws(InvalidPassword) {
        let length = password.unicodeScalars.count
        guard length >= minimumLength else { throw .tooShort(minimumLength) }
        guard length <= Self.maximumLength else { throw .tooLong(Self.maximumLength) }
        guard !CommonPasswords.contains(password) else { throw .common }
        if let email, Self.tells(email, password) { throw .address }
    }

    private static func tells(_ email: String, _ password: String) -> Bool {
        let (address, password) = (EmailAddress(trimming: email).key, EmailAddress(trimming: password).key)
        let name = address.utf8.prefix { $0 != UInt8(ascii: "@") }
        return password.utf8.elementsEqual(address.utf8) || password.utf8.elementsEqual(name)
    }
}

/// The reason why a password is refused.
public enum InvalidPassword: Error, Equatable {
    /// It has fewer characters than this.
    case tooShort(Int)
    /// It has more characters than this.
    case tooLong(Int)
    /// It is one of the most common ones.
    case common
    /// It is the address of its account, or the part before the `@`.
    case address

    /// The message to the person who chose the password.
    public var message: String {
        switch self {
        case .tooShort(let length): "Password must have at least \(length) characters"
        case .tooLong(let length): "Password cannot have more than \(length) characters"
        case .address: "Your address is the first that others would try: choose another password"
        case .common: "This password is one of the most common ones, and would be guessed soon: choose another"
        }
    }
}
