/// Something that has happened to an account, or was tried. It never holds a password or a token.
public struct AuditEvent: Sendable, Equatable {
    /// The kind of an event. The names are stored, and shown in logs.
    public enum Kind: String, Sendable, CaseIterable {
        /// A right password, or a wrong one, or none was looked at because there were too many.
        case signedIn = "sign-in ok"
        case signInFailed = "sign-in failed"
        case signInThrottled = "sign-in throttled"
        case signedOut = "signed out"
        /// A session got another token, or was ended from another one.
        case sessionStarted = "session started"
        case sessionRenewed = "session renewed"
        case sessionEnded = "session ended"
        case allSessionsEnded = "all sessions ended"
        case passwordChanged = "password changed"
        case passwordRefused = "password change refused"
        case tokenMade = "token made"
        case tokenRevoked = "token revoked"
        case accountAdded = "account added"
        case accountDisabled = "account disabled"
        case accountEnabled = "account enabled"
    }

    /// The kind of the event.
    public let kind: Kind
    /// The id of the account; nil for an address that no account has. What was typed is not kept: it may be a password.
    public let account: Int?
    /// The client's address; nil for the command line.
    public let address: String?
    /// The client's kind of device.
    public let device: String?
    /// The time of the event, in seconds since 1970.
    public let time: Int

    /// An event.
    public init(_ kind: Kind, account: Int?, address: String? = nil, device: String? = nil, time: Int) {
        self.kind = kind
        self.account = account
        self.address = address
        self.device = device
        self.time = time
    }
}
