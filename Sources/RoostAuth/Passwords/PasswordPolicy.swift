public import Roost

/// The rules for passwords: long enough, not among the most common ones, and not the account's own address. Any
/// characters will do (ASVS 5.0, 6.2.5), and none is changed or dropped.
public struct PasswordPolicy: Sendable {
    /// The smallest number of characters (Unicode scalars); at least 8 (ASVS 5.0, 6.2.1).
    public let minimumLength: Int
    /// The greatest number of characters: beyond that, hashing would be work for an attacker's benefit.
    static let maximumLength = 1024

    /// Creates a policy.
    public init(minimumLength: Int = 8) {
        self.minimumLength = min(max(8, minimumLength), Self.maximumLength)
    }

    /// Checks a new password.
    /// - Parameter email: The address of the account, if it is known. Neither it nor its part before the `@` may be the
    ///   password, in any letter case: attackers try these first (ASVS 5.0, 6.2.11).
    /// - Throws: The rule that the password breaks.
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

/// The error for a password that the policy refuses.
public enum InvalidPassword: Error, Equatable {
    /// The password has fewer characters than this.
    case tooShort(Int)
    /// The password has more characters than this.
    case tooLong(Int)
    /// The password is one of the most common ones.
    case common
    /// The password is the address of its account, or the part before the `@`.
    case address

    /// The message to the person who chose the password, which can be translated.
    public var sentence: Sentence {
        switch self {
        case .tooShort(let length):
            Sentence("Password must have at least {minimum} characters", ["minimum": length])
        case .tooLong(let length):
            Sentence("Password cannot have more than {maximum} characters", ["maximum": length])
        case .address:
            Sentence("Your address is the first that others would try: choose another password")
        case .common:
            Sentence("This password is one of the most common ones, and would be guessed soon: choose another")
        }
    }

    /// The message in English.
    public var message: String { sentence.text }
}

extension InvalidPassword: ResponseError {
    /// The response when a handler does not catch the error: 422 with the ``sentence``.
    public var httpError: HTTPError? { HTTPError(.unprocessableContent, sentence) }
}
