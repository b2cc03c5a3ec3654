/// A store that finds and ends the sessions of an owner, such as an account: those whose values name this owner
/// (``Session/ownerKey``).
public protocol OwnedSessionStore: SessionStore {
    /// The sessions of an owner that have not ended, the last used first, at most ``OwnedSession/maximumListed``.
    func sessions(of owner: String) async throws -> [OwnedSession]
    /// Ends one session of an owner.
    /// - Returns: Whether there was one with this id.
    @discardableResult
    func end(_ id: String, of owner: String) async throws -> Bool
    /// Ends the sessions of an owner.
    /// - Parameter id: The one that goes on; nil for none.
    func endAll(of owner: String, except id: String?) async throws
}

/// A session as it is listed for its owner.
public struct OwnedSession: Sendable, Equatable {
    /// An id that names the session without giving access to it; see ``Session/id``.
    public let id: String
    /// The device and address among the session's values; the other values are not shown.
    public let device, address: String?
    /// The time since the session began.
    public let begun: Duration
    /// The time since the session was last used; it may be a minute less.
    public let used: Duration

    /// The most sessions of an owner that a store lists: 100.
    public static let maximumListed = 100

    /// Creates an entry for a session with its values.
    public init(id: String, values: [String: String], begun: Duration, used: Duration) {
        self.id = id
        device = values[Session.deviceKey]
        address = values[Session.addressKey]
        self.begun = begun
        self.used = used
    }
}

extension Session {
    /// The name of the value that tells a session's owner; see ``OwnedSessionStore``.
    public static let ownerKey = "owner"
    /// The name of the value with the device on which the session began.
    package static let deviceKey = "device"
    /// The name of the value with the address from which the session began.
    package static let addressKey = "address"

    /// The name under which a store keeps a token: its SHA-256, in hexadecimal digits.
    package static func key(ofToken token: String) -> String { digest(ofToken: token).hexadecimal }

    /// The same as a value, for a store that needs no text.
    static func digest(ofToken token: String) -> SHA256Digest { SHA256.digest(of: token.utf8) }

    /// The id of the session that is kept under a key.
    package static func id(ofKey key: String) -> String { String(key.prefix(16)) }

    /// The id of the session that is kept under a digest.
    static func id(of digest: SHA256Digest) -> String { id(ofKey: digest.hexadecimal) }

    /// An id that names the session without giving access to it: the first digits of its token's SHA-256. Nil when the
    /// request came without a session.
    public var id: String? { snapshot.token.map { Self.id(of: Self.digest(ofToken: $0)) } }
}
