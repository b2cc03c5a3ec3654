public import Roost

/// The record of an API token. Of the token itself only a hash is kept.
public struct APIToken: Sendable, Equatable, Identifiable {
    /// The number by which the token is revoked.
    public let id: Int
    /// The id of the account on whose behalf the token acts.
    public let account: Int
    /// The purpose of the token, in its owner's words.
    public let name: String
    /// The token's permissions: names that the application chooses, such as `users:write`.
    public let scopes: Set<String>
    /// The time at which the token was made, in seconds since 1970.
    public let made: Int
    /// The time at which the token expires, in seconds since 1970.
    public let expires: Int
    /// Whether the token was revoked.
    public internal(set) var isRevoked: Bool
    /// The time of its last use, in seconds since 1970, to the minute; nil if it was never used.
    public internal(set) var used: Int?

    /// The most tokens that a store lists: 1,000.
    public static let maximumListed = 1000

    /// Creates a record, for a store.
    public init(
        id: Int, account: Int, name: String, scopes: Set<String>, made: Int, expires: Int, isRevoked: Bool, used: Int?
    ) {
        self.id = id
        self.account = account
        self.name = name
        self.scopes = scopes
        self.made = made
        self.expires = expires
        self.isRevoked = isRevoked
        self.used = used
    }

    /// Returns whether the token is accepted at a time.
    func isValid(at now: Int) -> Bool { !isRevoked && now < expires }
}

// A token looks like GitHub's: a prefix by which people and secret scanners recognise it, 30 random characters (178
// bits), and a checksum, so that a mistyped or invented one is refused without a look into the store:
//
//     token = prefix "_" 30BASE62 6BASE62

/// The text of an API token.
struct TokenText {
    let text: String

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let randomCount = 30
    private static let checksumCount = 6

    /// A new random token.
    init(prefix: String) {
        let random = (0..<Self.randomCount).map { _ in Self.digits[Int.random(in: 0..<Self.digits.count)] }
        let body = Array(prefix.utf8) + [UInt8(ascii: "_")] + random
        text = String(decoding: body + Self.checksum(of: body[...]), as: UTF8.self)
    }

    /// A text that has the form of a token, and the right checksum; nil for any other.
    init?(_ text: String, prefix: String) {
        let bytes = Array(text.utf8)
        let start = Array(prefix.utf8) + [UInt8(ascii: "_")]
        guard bytes.count == start.count + Self.randomCount + Self.checksumCount, bytes.starts(with: start),
            bytes.dropFirst(start.count).allSatisfy(Self.digits.contains)
        else { return nil }
        let body = bytes.dropLast(Self.checksumCount)
        guard Self.checksum(of: body).elementsEqual(bytes.suffix(Self.checksumCount)) else { return nil }
        self.text = text
    }

    /// The name under which a store keeps it.
    var hash: String { SHA256.hexadecimal(of: text.utf8) }

    /// CRC-32 (ISO 3309) in base 62, the highest digit first.
    private static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        var register = UInt32.max
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1 }
        }
        var (number, reversed) = (Int(~register), [UInt8]())
        for _ in 0..<checksumCount {
            reversed.append(digits[number % digits.count])
            number /= digits.count
        }
        return reversed.reversed()
    }
}

extension Auth {
    /// Makes an API token for an account. Its text is returned here and never again.
    /// - Parameters:
    ///   - name: The purpose of the token, in its owner's words.
    ///   - scopes: The token's permissions.
    ///   - lifetime: The time after which it expires.
    ///   - request: The request that asks for it, whose client the audit log names; nil for the command line.
    /// - Throws: ``AccountError/missing(_:)``, ``AccountError/notAScope(_:)``; any error of the stores.
    public func makeToken(
        email: String, name: String, scopes: Set<String>, lifetime: Duration = .seconds(90 * 24 * 3600),
        _ request: Request? = nil
    ) async throws -> (text: String, token: APIToken) {
        try Self.check(scopes: scopes)
        let account = try await existing(email)
        let text = TokenText(prefix: tokenPrefix)
        let token = try await tokens.add(
            hash: text.hash, account: account.id, name: name, scopes: scopes, made: time.secondsSince1970(),
            expires: time.secondsSince1970(after: lifetime.wholeSeconds))
        await record(.tokenMade, account.id, request)
        return (text.text, token)
    }

    /// Stores keep the scopes of a token in one text with blanks between them, so each must be a scope-token of RFC
    /// 6749 §3.3.
    private static func check(scopes: Set<String>) throws(AccountError) {
        for scope in scopes where scope.isEmpty || !scope.utf8.allSatisfy(isOfScope) { throw .notAScope(scope) }
    }

    private static func isOfScope(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Revokes any account's token for good: for administrators.
    /// - Parameter request: The request that asks for it, whose client the audit log names; nil for the command line.
    /// - Returns: Whether there was one with this id that was not revoked yet.
    public func revokeToken(_ id: Int, _ request: Request? = nil) async throws -> Bool {
        try await revoke(id, nil, request)
    }

    /// Revokes a token of an account for good: for a page of a user's own tokens, to which a client sends the token's
    /// id.
    /// - Parameters:
    ///   - account: The id of the account whose token it must be.
    ///   - request: The request that asks for it, whose client the audit log names; nil for the command line.
    /// - Returns: Whether the account had one with this id that was not revoked yet.
    public func revokeToken(_ id: Int, of account: Int, _ request: Request? = nil) async throws -> Bool {
        try await revoke(id, account, request)
    }

    private func revoke(_ id: Int, _ account: Int?, _ request: Request?) async throws -> Bool {
        guard let token = try await tokens.revoke(id, of: account) else { return false }
        await record(.tokenRevoked, token.account, request)
        return true
    }

    /// The token with a text and its account; nil when it is not valid, or the account is disabled.
    func use(_ text: String) async throws -> (APIToken, Account)? {
        guard let text = TokenText(text, prefix: tokenPrefix), let token = try await tokens.token(hash: text.hash),
            token.isValid(at: time.secondsSince1970()),
            let account = try await enabledAccount(token.account)
        else { return nil }
        let (used, now) = (token.used ?? 0, time.secondsSince1970())
        // It lies ahead if the clock was.
        if used <= now - 60 || used > now {
            // The token works even if this cannot be written.
            do {
                try await tokens.noteUse(of: token.id, at: now)
            } catch {
                logger.debug("The use of token \(token.id) could not be noted: \(error)")
            }
        }
        return (token, account)
    }
}
